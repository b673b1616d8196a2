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

}  // namespace

std::optional<Objective> drawn_objective(const RunReport& report) {
  if (report.objectives.empty()) return std::nullopt;
  const std::size_t binding = report.operating_point ? report.operating_point->binding_objective : 0;
  return report.objectives[binding < report.objectives.size() ? binding : 0];
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

std::string p99_absence(const LevelResult& level, Latency metric) {
  if (level.stability == Stability::saturated) {
    if (!level.queue_growth_per_s) return "saturated, the queue grows without end: no p99";
    return fmt::format("saturated, the queue grows by {} requests per second: no p99",
                       figure_number(*level.queue_growth_per_s));
  }
  const LatencySummary& summary = latency_of(level, metric);
  if (summary.p99_failures_as_infinite) {
    return *summary.p99_failures_as_infinite > 0 && std::isfinite(*summary.p99_failures_as_infinite)
               ? ""
               : "p99 is not above 0: chunks arrived together";
  }
  if (summary.n_all == 0) return "no request has this latency";
  if (summary.n == summary.n_all) return "p99 was not determined";
  return fmt::format("{} of {} requests failed or never got so far: p99 is infinite",
                     figure_count(summary.n_all - summary.n), figure_count(summary.n_all));
}

DrawnLevels drawn_levels(const RunReport& report, Latency metric) {
  DrawnLevels drawn;
  for (const LevelResult& level : report.levels) {
    const std::string absence = p99_absence(level, metric);
    if (!absence.empty()) {
      drawn.undrawn.push_back({&level, absence});
      continue;
    }
    const LatencySummary& summary = latency_of(level, metric);
    auto& curve = level.level.kind == LevelKind::concurrency ? drawn.closed : drawn.open;
    curve.push_back(
        {&level, *summary.p99_failures_as_infinite, drawable_end(summary.p99_low), drawable_end(summary.p99_high)});
  }
  const auto by_load = [](const auto& a, const auto& b) { return a.level->level.target < b.level->level.target; };
  std::ranges::stable_sort(drawn.closed, by_load);
  std::ranges::stable_sort(drawn.open, by_load);
  std::ranges::stable_sort(drawn.undrawn, by_load);
  return drawn;
}

std::string point_sentence(const DrawnLevel& drawn, Latency metric) {
  const LevelResult& level = *drawn.level;
  return fmt::format(
      "{}: {} tok/s, {} req/s, p99 {} {} ms, 95% interval {}, {}, {} requests", level_label(level.level),
      figure_number(level.known_output_tokens_per_s()),
      figure_number(level.over_window(level.completed_requests_per_s)), metric_label(metric),
      figure_number(drawn.p99_ms), figure_interval(drawn.low_ms, drawn.high_ms),
      level.stability == Stability::not_stabilised ? "not stabilised" : std::string(name(level.stability)),
      figure_count(level.measured_requests));
}

}  // namespace loadline
