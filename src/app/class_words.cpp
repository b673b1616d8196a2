#include "app/class_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/nearest_name.h"

namespace loadline {
namespace {

constexpr std::string_view class_examples =
    "write it like 'where prompt<=2000', 'where prompt=2000..8000', 'where turn>1', 'where session=NAME' or 'where "
    "client=NAME'";

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> positive_number(std::string_view text) {
  const std::string_view digits = without_blanks(text);
  std::int64_t number = 0;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_number = trouble == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return is_number && number > 0 && number < 1'000'000'000 ? std::optional(number) : std::nullopt;
}

/// "<= 2000" and the like -> from, to. False where it is none of them.
bool take_range(std::string_view sign, std::string_view value, RequestClass& of) {
  if (const std::size_t dots = value.find(".."); sign == "=" && dots != std::string_view::npos) {
    const auto from = positive_number(value.substr(0, dots)), to = positive_number(value.substr(dots + 2));
    if (!from || !to || *from > *to) return false;
    of.from = *from;
    of.to = *to;
    return true;
  }
  const std::optional<std::int64_t> number = positive_number(value);
  if (!number) return false;
  if (sign == "=") of.from = of.to = *number;
  if (sign == "<=") of.to = *number;
  if (sign == ">=") of.from = *number;
  if (sign == "<") of.to = *number - 1;
  if (sign == ">") of.from = *number + 1;
  return of.from <= of.to;
}

}  // namespace

RequestClass parse_request_class(std::string_view text, std::string_view where) {
  const auto refuse = [&](std::string_view why) {
    return Error(fmt::format("{}: {}; {}", where, why, class_examples));
  };
  const std::size_t sign_at = text.find_first_of("<>=");
  if (sign_at == std::string_view::npos) throw refuse(fmt::format("the class '{}' has no '=', '<=' or '>'", text));
  const bool is_two = text.substr(sign_at + 1).starts_with('=') && text[sign_at] != '=';
  const std::string_view sign = text.substr(sign_at, is_two ? 2 : 1);
  const std::string word(without_blanks(text.substr(0, sign_at)));
  const std::string_view value = without_blanks(text.substr(sign_at + sign.size()));

  const std::vector<std::string> known = {"prompt", "turn", "session", "client"};
  const auto found = std::ranges::find(known, word);
  if (found == known.end()) {
    throw refuse(fmt::format("'{}' is no class of requests{}; known are {}", word, did_you_mean(word, known),
                             fmt::join(known, ", ")));
  }
  RequestClass of;
  of.by = static_cast<ClassBy>(found - known.begin());
  if (of.by == ClassBy::session || of.by == ClassBy::client) {
    if (sign != "=" || value.empty()) throw refuse(fmt::format("a {} is named by '{}=NAME'", word, word));
    // It comes back in tables and sentences of every kind.
    const auto unprintable = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (std::ranges::any_of(value, unprintable))
      throw refuse(fmt::format("the name of a {} is one line of text", word));
    of.name = value;
  } else if (!take_range(sign, value, of)) {
    throw refuse(fmt::format("'{}' is no range of whole numbers above 0", text));
  }
  return of;
}

}  // namespace loadline
