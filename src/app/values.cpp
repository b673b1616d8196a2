#include "app/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/class_words.h"
#include "core/error.h"

namespace loadline {
namespace {

std::string_view without_spaces(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A decimal number at the start of `text`, which is shortened by it.
std::optional<double> take_number(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

struct DurationUnit {
  std::string_view name;
  double nanoseconds;
};
constexpr std::array<DurationUnit, 6> duration_units = {
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}}};

std::optional<Nanos> duration_of(double number, std::string_view unit) {
  for (const DurationUnit& candidate : duration_units) {
    if (candidate.name != unit) continue;
    const double nanoseconds = number * candidate.nanoseconds;
    if (nanoseconds > 9e18) return std::nullopt;
    return Nanos(std::llround(nanoseconds));
  }
  return std::nullopt;
}

}  // namespace

double parse_number(std::string_view text, std::string_view where) {
  std::string_view rest = without_spaces(text);
  const std::optional<double> value = take_number(rest);
  if (!value || !rest.empty()) throw Error(fmt::format("{}: '{}' is not a number", where, text));
  return *value;
}

std::uint64_t parse_whole_number(std::string_view text, std::string_view where) {
  const std::string_view digits = without_spaces(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
    throw Error(fmt::format("{}: '{}' is not a whole number of 0 or more", where, text));
  }
  return value;
}

Nanos parse_duration(std::string_view text, std::string_view where) {
  std::string_view rest = without_spaces(text);
  const std::optional<double> number = take_number(rest);
  rest = without_spaces(rest);
  const std::optional<Nanos> span =
      number && *number > 0 ? duration_of(*number, rest.empty() ? "s" : rest) : std::nullopt;
  if (!span) {
    throw Error(fmt::format("{}: '{}' is not a positive duration; write it like 600s, 15m or 250ms", where, text));
  }
  return *span;
}

std::vector<double> parse_levels(std::string_view text, std::string_view where, bool whole) {
  std::vector<double> levels;
  for (const std::string_view part : split(text, ", ")) {
    const double level = parse_number(part, where);
    if (level <= 0 || level > 1e6 || (whole && level != std::floor(level))) {
      throw Error(fmt::format("{}: level '{}' must be a {} above 0 (at most 1,000,000)", where, part,
                              whole ? "whole number of users" : "rate in requests/s"));
    }
    if (std::ranges::find(levels, level) != levels.end()) {
      throw Error(fmt::format("{}: level {} is given twice; give each level once", where, part));
    }
    levels.push_back(level);
  }
  if (levels.empty()) throw Error(fmt::format("{}: the list of levels is empty; write it like 1,2,4,8", where));
  return levels;
}

Objective parse_objective(std::string_view text, std::string_view where) {
  const auto refuse = [&](std::string_view why) -> Error {
    return Error(
        fmt::format("{}: cannot read the objective '{}': {}; write it like 'p99 ttft<=1000ms'", where, text, why));
  };
  std::string lowered = lower(text);
  Objective objective;
  if (const std::size_t class_at = lowered.find(" where "); class_at != std::string::npos) {
    // Names keep their letters as they are.
    objective.of = parse_request_class(without_spaces(text.substr(class_at + std::string_view(" where ").size())),
                                       fmt::format("{}: cannot read the objective '{}'", where, text));
    lowered.resize(class_at);
  }
  std::string_view rest = without_spaces(lowered);
  if (!rest.starts_with('p')) throw refuse("it does not start with a percentile such as p99");
  rest.remove_prefix(1);
  const std::optional<double> percent = take_number(rest);
  if (!percent || *percent <= 0 || *percent >= 100) throw refuse("the percentile must lie between 0 and 100");
  rest = without_spaces(rest);
  const std::size_t sign = rest.find("<=");
  if (sign == std::string_view::npos) throw refuse("it has no '<='");

  objective.percentile = *percent / 100.0;
  const std::string metric(without_spaces(rest.substr(0, sign)));
  const std::vector<std::string> metrics = {"ttft", "tpot", "itl", "e2e"};
  const auto found = std::ranges::find(metrics, metric);
  if (found == metrics.end()) {
    const std::string near = nearest_name(metric, metrics);
    throw refuse(fmt::format("unknown metric '{}'{}; known are ttft, tpot, itl, e2e", metric,
                             near.empty() ? "" : fmt::format(", did you mean {}?", near)));
  }
  objective.metric = static_cast<Latency>(found - metrics.begin());

  rest = without_spaces(rest.substr(sign + 2));
  const std::optional<double> number = take_number(rest);
  rest = without_spaces(rest);
  if (!number || *number <= 0) throw refuse("the limit must be a number above 0");
  if (rest.empty()) throw refuse("the limit has no unit (ms or s)");
  if (std::ranges::find(duration_units, rest, &DurationUnit::name) == duration_units.end()) {
    throw refuse(fmt::format("unknown unit '{}' (use ms or s)", rest));
  }
  const std::optional<Nanos> limit = duration_of(*number, rest);
  if (!limit || limit->count() < 1) throw refuse("the limit must lie between a nanosecond and 290 years");
  objective.limit = *limit;
  return objective;
}

GoodputLimits parse_goodput(const std::vector<std::string>& texts, std::string_view where) {
  GoodputLimits limits;
  for (const std::string& text : texts) {
    for (const std::string_view part : split(text, ", ")) {
      const std::size_t colon = part.find(':');
      const std::string metric = lower(part.substr(0, std::min(colon, part.size())));
      std::optional<Nanos>* slot = metric == "ttft"   ? &limits.ttft
                                   : metric == "tpot" ? &limits.tpot
                                   : metric == "e2e"  ? &limits.e2e
                                                      : nullptr;
      if (colon == std::string_view::npos || slot == nullptr) {
        throw Error(fmt::format(
            "{}: cannot read '{}'; write limits per request in ms, like ttft:1000 tpot:50 e2e:20000", where, part));
      }
      if (*slot) throw Error(fmt::format("{}: {} has two limits; give one", where, metric));
      const double ms = parse_number(part.substr(colon + 1), where);
      if (ms <= 0 || ms > 9e12) throw Error(fmt::format("{}: the limit of {} must be above 0 ms", where, metric));
      *slot = Nanos(std::llround(ms * 1e6));
    }
  }
  return limits;
}

double parse_share(std::string_view text, std::string_view where) {
  const bool is_percent = text.ends_with('%');
  const double number = parse_number(is_percent ? text.substr(0, text.size() - 1) : text, where);
  const double share = is_percent ? number / 100 : number;
  if (!(share > 0) || share > 1) {
    throw Error(fmt::format("{}: '{}' is no share above 0 and at most 1; write it as 5% or 0.05", where, text));
  }
  return share;
}

}  // namespace loadline
