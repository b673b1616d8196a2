#include "report/sweep_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_words.h"

namespace loadline {
namespace {

std::string known_to(const std::optional<double>& precision) {
  return precision ? fmt::format("the capacity is known to ±{}", figure_percent(*precision))
                   : "of the capacity not both ends are known";
}

std::string end_words(SweepEnd end, const std::optional<double>& precision, double asked) {
  switch (end) {
    case SweepEnd::precision:
      return fmt::format("They ended as {}; ±{} was asked for.", known_to(precision), figure_percent(asked));
    case SweepEnd::budget:
      return fmt::format("They ended with the budget, while {}; ±{} was asked for.", known_to(precision),
                         figure_percent(asked));
    case SweepEnd::not_crossed:
      return "No load within reach crosses the objective, so that there was nothing to visit.";
    default:
      return precision ? fmt::format("With these levels {}.", known_to(precision)) : "";
  }
}

std::string joined(const std::string& first, const std::string& second) {
  return second.empty() ? first : first + " " + second;
}

std::string budget_words(const std::optional<double>& budget_s, std::size_t passes) {
  if (!budget_s) return "";
  return fmt::format(" (budget {} s{})", figure_number(*budget_s), passes > 1 ? " each time" : "");
}

std::size_t count_levels(const RunReport& report, LevelKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(report.levels, kind, [](const LevelResult& level) { return level.level.kind; }));
}

std::string part_words(const RunReport& report, LevelKind kind) {
  const SweepOutcome& sweep = report.sweep;
  const bool is_closed = kind == LevelKind::concurrency;
  const std::size_t levels = count_levels(report, kind);
  const bool was_not_begun = !is_closed && sweep.open_budget_s && sweep.open_end == SweepEnd::not_crossed;
  if (levels == 0 && was_not_begun)
    return "The rate of arrival was not searched for: it begins from the capacity of users who wait, and these levels do not tell it.";
  if (levels == 0) return "";
  const std::uint32_t visits = is_closed ? sweep.closed_visits : sweep.open_visits;
  const std::string_view one = is_closed ? "level" : "rate", many = levels - visits == 1 ? "" : "s";
  std::string words =
      fmt::format("{} {}{}{}", levels - visits, one, many, is_closed && sweep.mode == "search" ? " of a ramp" : "");
  if (visits > 0) words += fmt::format(" and {} visit{} near the crossing", visits, visits == 1 ? "" : "s");
  words += fmt::format(" took {} s of engine time{}.",
                       figure_number(is_closed ? sweep.closed_engine_s : sweep.open_engine_s),
                       budget_words(is_closed ? sweep.closed_budget_s : sweep.open_budget_s, sweep.passes.size()));
  const std::optional<SweepEnd>& end = is_closed ? sweep.closed_end : sweep.open_end;
  if (!end || report.objectives.empty()) return words;
  const std::optional<double>& precision = is_closed ? sweep.closed_precision : sweep.open_precision;
  if (sweep.for_other_objective)
    return joined(words, fmt::format("They were chosen for another objective; for this one {}.", known_to(precision)));
  return joined(words, end_words(*end, precision, is_closed ? sweep.precision_asked : sweep.open_precision_asked));
}

std::string pass_words(const SweepOutcome& sweep) {
  if (sweep.passes.empty()) return "";
  std::vector<std::string> capacities;
  for (const PassCapacity& pass : sweep.passes) {
    const bool is_known = pass.closed && pass.closed->estimate_exists;
    capacities.push_back(is_known ? figure_number(pass.closed->requests_per_s.value) : std::string(absent_mark));
  }
  std::string words = fmt::format("{} repetitions, closed capacity in requests/s: {}", sweep.passes.size(),
                                  fmt::join(capacities, ", "));
  if (sweep.between_passes) {
    words += fmt::format("; mean {} {}", figure_number(sweep.between_passes->value),
                         figure_interval(sweep.between_passes->low, sweep.between_passes->high));
  }
  return words + ".";
}

std::string direction_words(const std::vector<UpAndDown>& rows) {
  if (rows.empty()) return "";
  const auto differing = std::ranges::count_if(rows, [](const UpAndDown& row) { return !row.difference.empty(); });
  return differing == 0
             ? fmt::format("{} loads were run upwards and downwards: nothing differs by more than chance.", rows.size())
             : fmt::format("{} loads were run upwards and downwards: {} of them differ (hysteresis).", rows.size(),
                           differing);
}

}  // namespace

std::vector<std::string> sweep_words(const RunReport& report) {
  std::vector<std::string> words;
  for (std::string text : {part_words(report, LevelKind::concurrency), part_words(report, LevelKind::request_rate),
                           pass_words(report.sweep), direction_words(report.sweep.up_and_down)}) {
    if (!text.empty()) words.push_back(std::move(text));
  }
  return words;
}

}  // namespace loadline
