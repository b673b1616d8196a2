#include "trace/opaque_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

namespace loadline {
namespace {

constexpr std::size_t longest_opaque_name = 128;

bool is_name_character(char c) {
  constexpr std::string_view marks = "._-:/@+=#";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         marks.find(c) != std::string_view::npos;
}

/// How many were renamed.
std::size_t number_other_names(std::vector<std::string>& names, char letter) {
  if (std::ranges::all_of(names, is_opaque_name)) return 0;
  std::unordered_set<std::string> taken(names.begin(), names.end());
  std::size_t renamed = 0, number = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_opaque_name(names[i])) continue;
    for (number = std::max(number, i); !taken.insert(fmt::format("{}{}", letter, number)).second;) ++number;
    names[i] = fmt::format("{}{}", letter, number);
    ++renamed;
  }
  return renamed;
}

void say(Trace& trace, std::string_view what) {
  trace.remarks.push_back(
      fmt::format("{}: a trace holds no text, and only letters, digits and ._-:/@+=# make a name.", what));
}

}  // namespace

bool is_opaque_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_opaque_name && std::ranges::all_of(text, is_name_character);
}

bool is_list_of_opaque_names(std::string_view text) {
  for (std::size_t comma = text.find(", "); comma != std::string_view::npos; comma = text.find(", ")) {
    if (!is_opaque_name(text.substr(0, comma))) return false;
    text.remove_prefix(comma + 2);
  }
  return is_opaque_name(text);
}

void make_names_opaque(Trace& trace) {
  const std::size_t sessions = number_other_names(trace.sessions, 's');
  const std::size_t clients = number_other_names(trace.clients, 'c');
  if (sessions > 0) say(trace, fmt::format("{} names of sessions became numbers", sessions));
  if (clients > 0) say(trace, fmt::format("{} names of clients became numbers", clients));
  if (!trace.source.empty() && !is_list_of_opaque_names(trace.source)) {
    trace.source = "log";
    say(trace, "The source is written as \"log\"");
  }
  if (!trace.tokenizer.empty() && !is_opaque_name(trace.tokenizer)) {
    trace.tokenizer.clear();
    say(trace, "The name of the tokenizer is left out");
  }
}

}  // namespace loadline
