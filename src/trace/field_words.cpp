#include "trace/field_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/nearest_name.h"

namespace loadline {
namespace {

constexpr std::size_t longest_field_name = 64, longest_shown_name = 40, most_names_shown = 20;

}  // namespace

bool looks_like_field(std::string_view text) {
  return !text.empty() && text.size() <= longest_field_name &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; }) &&
         std::ranges::any_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; });
}

std::string shown_name(std::string_view name) {
  return name.size() <= longest_shown_name ? std::string(name)
                                           : std::string(name.substr(0, longest_shown_name)) + "...";
}

std::string words_on_fields(std::string_view wanted, const std::vector<std::string>& names) {
  std::vector<std::string> alike, shown;
  std::ranges::copy_if(names, std::back_inserter(alike), looks_like_field);
  for (const std::string& name : alike) {
    if (shown.size() < most_names_shown) shown.push_back(shown_name(name));
  }
  const std::string near = nearest_name(wanted, alike);
  std::string words = near.empty() ? "; it has " : fmt::format(", did you mean {}? It has ", shown_name(near));
  words += fmt::format("{} field{}", names.size(), names.size() == 1 ? "" : "s");
  if (alike.empty()) return words + ", none with what looks like a name: is the header missing?";
  words += fmt::format(": {}{}", fmt::join(shown, ", "), shown.size() < alike.size() ? ", ..." : "");
  if (alike.size() < names.size()) words += fmt::format(" ({} without a name)", names.size() - alike.size());
  return words;
}

}  // namespace loadline
