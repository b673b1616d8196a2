#include "curve/curve_rows.h"

#include <algorithm>
#include <cmath>

#include "curve/interpolation.h"
#include "curve/level_p99.h"

namespace loadline {
namespace {

constexpr std::uint64_t requests_for_lengths = 1000;

// 0 takes part in no fit.
double aggregate_of(const LevelResult& level) { return level.tokens_counted ? level.aggregate_output_tokens_per_s : 0; }

}  // namespace

MeanCompletion measured_mean(std::span<const LevelResult> levels) {
  const auto over_levels = [&](std::uint64_t least) {
    double n = 0, sum = 0, squares = 0;
    for (const LevelResult& level : levels) {
      if (level.measured_requests < least || level.completion_tokens.n == 0) continue;
      const auto count = static_cast<double>(level.completion_tokens.n);
      const double mean = level.completion_tokens.mean, deviation = level.completion_cv * mean;
      n += count;
      sum += count * mean;
      squares += count * (deviation * deviation + mean * mean);
    }
    if (n == 0 || sum <= 0) return MeanCompletion{};
    const double mean = sum / n;
    const double cv = std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean;
    return MeanCompletion{mean, 1.96 * cv / std::sqrt(n)};
  };
  const MeanCompletion of_long = over_levels(requests_for_lengths);
  return of_long.tokens > 0 ? of_long : over_levels(0);
}

std::vector<CrossingRow> rows_of(std::span<const LevelResult> levels, std::size_t index) {
  std::vector<CrossingRow> rows;
  for (const LevelResult& level : levels) {
    const bool is_saturated = level.stability == Stability::saturated;
    CrossingRow row{level.level.target, 0, 0, 1, aggregate_of(level), is_saturated, level.completed_requests_per_s};
    if (index < level.objectives.size()) {
      const ObjectiveResult& objective = level.objectives[index];
      row.n = static_cast<double>(objective.n);
      row.above = static_cast<double>(objective.above);
      row.tau = objective.tau;
    }
    if (row.load > 0 && (row.n > 0 || is_saturated)) rows.push_back(row);
  }
  return rows;
}

std::optional<Interpolated> interpolated_of(std::span<const LevelResult> levels, const Objective& objective,
                                            std::size_t index) {
  std::vector<CurvePoint> points;
  for (const LevelResult& level : levels) {
    const std::optional<double> value = percentile_ms(level, index, objective);
    if (!value || *value <= 0 || level.level.target <= 0) continue;
    const double n_eff = percentile_n_eff(level, index, objective);
    points.push_back(
        {level.level.target, *value, std::max(n_eff, 1e-9), level.completed_requests_per_s, aggregate_of(level)});
  }
  return interpolate(std::move(points), milliseconds(objective.limit));
}

}  // namespace loadline
