#include "trace/numbers.h"

#include <charconv>
#include <cmath>

namespace loadline {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool only_zeros(std::string_view digits) { return digits.find_first_not_of('0') == std::string_view::npos; }

/// Unsigned digits and nothing else.
Parsed<std::uint64_t> parse_digits(std::string_view text) {
  if (text.empty()) return {};
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size())
    return {0, NumberState::out_of_range};
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return {value, NumberState::ok};
}

/// Numbers with an exponent: rare, so a double's precision serves.
ParsedSpan parse_scientific(std::string_view text, Nanos unit) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  ParsedSpan span;
  if (end != text.data() + text.size() || (error == std::errc{} && !std::isfinite(value))) return span;
  const double nanoseconds = value * static_cast<double>(unit.count());
  if (error == std::errc::result_out_of_range || std::abs(nanoseconds) > 9.2e18) {
    span.state = NumberState::out_of_range;
    return span;
  }
  span.value = Nanos(std::llround(nanoseconds));
  span.state = NumberState::ok;
  return span;
}

/// The digits after the point, as a share of `unit`.
std::int64_t fraction_of(std::string_view digits, Nanos unit) {
  std::int64_t rest = unit.count(), sum = 0;
  for (const char digit : digits) {
    // rest may not be divisible by ten any more: what is left is below a nanosecond.
    if (rest % 10 != 0) break;
    rest /= 10;
    sum += rest * (digit - '0');
  }
  return sum;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

Parsed<Tokens> parse_length(std::string_view text) {
  text = trimmed(text);
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (point != std::string_view::npos && (point + 1 == text.size() || !only_zeros(text.substr(point + 1)))) return {};
  const Parsed<std::uint64_t> digits = parse_digits(whole);
  if (digits.state == NumberState::malformed) return {};
  const bool in_range =
      digits.ok() && digits.value <= static_cast<std::uint64_t>(longest_length) && (!negative || digits.value == 0);
  if (!in_range) return {Tokens(), NumberState::out_of_range};
  return {Tokens(static_cast<std::int64_t>(digits.value)), NumberState::ok};
}

Parsed<std::uint64_t> parse_id(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.front() != '-') return parse_digits(text);
  Parsed<std::uint64_t> id = parse_digits(text.substr(1));
  if (id.ok() && id.value > std::uint64_t{1} << 63) id.state = NumberState::out_of_range;
  id.value = 0 - id.value;
  return id;
}

ParsedSpan parse_span(std::string_view text, Nanos unit) {
  text = trimmed(text);
  if (text.find_first_of("eE") != std::string_view::npos) return parse_scientific(text, unit);
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const Parsed<std::uint64_t> whole = parse_digits(text.substr(0, point));
  ParsedSpan span;
  span.state = whole.state;
  if (!whole.ok()) return span;
  const std::string_view fraction = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  for (const char c : fraction) {
    if (!is_digit(c)) return {};
  }
  if (point != std::string_view::npos && fraction.empty()) return {};
  if (whole.value >= static_cast<std::uint64_t>(Nanos::max().count() / unit.count())) {
    span.state = NumberState::out_of_range;
    return span;
  }
  const std::int64_t nanoseconds = static_cast<std::int64_t>(whole.value) * unit.count() + fraction_of(fraction, unit);
  span.value = Nanos(negative ? -nanoseconds : nanoseconds);
  span.decimals = static_cast<int>(fraction.size());
  return span;
}

}  // namespace loadline
