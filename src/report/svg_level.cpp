#include "report/svg_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/number_words.h"

namespace loadline {
namespace {

/// An end of an interval that has a place on a logarithmic axis.
std::optional<double> drawable_end(const std::optional<double>& end) {
  return end && std::isfinite(*end) && *end > 0 ? end : std::nullopt;
}

std::size_t drawn_objective_index(const RunReport& report) {
  const std::size_t binding = report.operating_point ? report.operating_point->binding_objective : 0;
  return binding < report.objectives.size() ? binding : 0;
}

}  // namespace

std::optional<Objective> drawn_objective(const RunReport& report) {
  if (report.objectives.empty()) return std::nullopt;
  return report.objectives[drawn_objective_index(report)];
}

Latency drawn_metric(const RunReport& report) {
  const std::optional<Objective> objective = drawn_objective(report);
  return objective ? objective->metric : Latency::ttft;
}

LevelKind drawn_kind(const RunReport& report) {
  if (report.operating_point) return report.operating_point->kind;
  return report.levels.empty() ? LevelKind::concurrency : report.levels.front().level.kind;
}

bool is_on_line(const LevelResult& level) {
  return level.level.purpose != LevelPurpose::visit && level.level.purpose != LevelPurpose::backward;
}

std::string DrawnTail::label() const { return percentile_label(percentile) + " " + metric_label(metric) + of_class; }

DrawnTail drawn_tail(const RunReport& report) {
  DrawnTail tail(drawn_metric(report));
  const std::optional<Objective> objective = drawn_objective(report);
  if (!objective || is_p99_of_all(*objective)) return tail;
  const std::size_t index = drawn_objective_index(report);
  const bool is_known = std::ranges::any_of(report.levels, [&](const LevelResult& level) {
    return index < level.objectives.size() && level.objectives[index].n_eff;
  });
  if (!is_known) return tail;
  tail.percentile = objective->percentile;
  tail.objective = index;
  if (objective->of) tail.of_class = " where " + class_text(*objective->of);
  return tail;
}

bool shows_objective(const RunReport& report) {
  const std::optional<Objective> objective = drawn_objective(report);
  if (!objective) return false;
  return drawn_tail(report).objective || is_p99_of_all(*objective);
}

TailFigure tail_of(const LevelResult& level, const DrawnTail& tail) {
  if (!tail.objective) {
    const LatencySummary& summary = latency_of(level, tail.metric);
    return {summary.p99_failures_as_infinite, summary.p99_low, summary.p99_high};
  }
  if (*tail.objective >= level.objectives.size()) return {};
  const ObjectiveResult& result = level.objectives[*tail.objective];
  return {result.value_ms, result.low_ms, result.high_ms};
}

std::string p99_absence(const LevelResult& level, const DrawnTail& tail) {
  const std::string percentile = percentile_label(tail.percentile);
  if (level.stability == Stability::saturated) {
    if (!level.queue_growth_per_s) return fmt::format("saturated, the queue grows without end: no {}", percentile);
    return fmt::format("saturated, the queue grows by {} requests per second: no {}",
                       figure_number(*level.queue_growth_per_s), percentile);
  }
  if (const std::optional<double> value = tail_of(level, tail).value_ms) {
    return *value > 0 && std::isfinite(*value) ? ""
                                               : fmt::format("{} is not above 0: chunks arrived together", percentile);
  }
  if (tail.objective) {
    const bool is_judged = *tail.objective < level.objectives.size() && level.objectives[*tail.objective].n > 0;
    return is_judged ? fmt::format("more requests failed than {} leaves room for: it is infinite", percentile)
                     : "no request of its class has this latency";
  }
  const LatencySummary& summary = latency_of(level, tail.metric);
  if (summary.n_all == 0) return "no request has this latency";
  if (summary.n == summary.n_all) return "p99 was not determined";
  return fmt::format("{} of {} requests failed or never got so far: p99 is infinite",
                     figure_count(summary.n_all - summary.n), figure_count(summary.n_all));
}

DrawnLevels drawn_levels(const RunReport& report, const DrawnTail& tail) {
  DrawnLevels drawn;
  for (const LevelResult& level : report.levels) {
    const std::string absence = p99_absence(level, tail);
    if (!absence.empty()) {
      drawn.undrawn.push_back({&level, absence});
      continue;
    }
    const TailFigure figure = tail_of(level, tail);
    auto& curve = level.level.kind == LevelKind::concurrency ? drawn.closed : drawn.open;
    curve.push_back({&level, *figure.value_ms, drawable_end(figure.low_ms), drawable_end(figure.high_ms)});
  }
  const auto by_load = [](const auto& a, const auto& b) { return a.level->level.target < b.level->level.target; };
  std::ranges::stable_sort(drawn.closed, by_load);
  std::ranges::stable_sort(drawn.open, by_load);
  std::ranges::stable_sort(drawn.undrawn, by_load);
  return drawn;
}

std::string point_sentence(const DrawnLevel& drawn, const DrawnTail& tail) {
  const LevelResult& level = *drawn.level;
  return fmt::format(
      "{}: {} tok/s, {} req/s, {} {} ms, 95% interval {}, {}, {} requests", level_label(level.level),
      figure_number(level.known_output_tokens_per_s()),
      figure_number(level.over_window(level.completed_requests_per_s)), tail.label(), figure_number(drawn.p99_ms),
      figure_interval(drawn.low_ms, drawn.high_ms),
      level.stability == Stability::not_stabilised ? "not stabilised" : std::string(name(level.stability)),
      figure_count(level.measured_requests));
}

}  // namespace loadline
