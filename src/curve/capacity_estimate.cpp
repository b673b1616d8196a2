#include "curve/capacity_estimate.h"

#include <algorithm>

#include "curve/level_p99.h"

namespace loadline {

std::optional<CrossingEstimate> crossing_of(const std::vector<CrossingRow>& rows, LevelKind kind, double percentile) {
  if (rows.empty()) return std::nullopt;
  CrossingSettings settings = kind == LevelKind::request_rate ? CrossingSettings::open_loop(0) : CrossingSettings();
  settings.allowed = 1 - percentile;
  return estimate_crossing(rows, settings);
}

Carried carried_at(std::span<const CrossingRow> rows, LevelKind kind, const Estimate& load,
                   const MeanCompletion& mean) {
  const bool has_aggregate = std::ranges::any_of(rows, [](const CrossingRow& row) { return row.aggregate > 0; });
  const bool has_rate = std::ranges::any_of(rows, [](const CrossingRow& row) { return row.requests_per_s > 0; });
  Carried carried;
  if (has_aggregate) carried.output_tokens_per_s = estimate_aggregate(rows, load);
  if (kind == LevelKind::request_rate)
    carried.requests_per_s = load;
  else if (has_aggregate && mean.tokens > 0)
    carried.requests_per_s = capacity_of(*carried.output_tokens_per_s, mean.tokens, mean.relative_error);
  else if (has_rate)
    carried.requests_per_s = estimate_requests(rows, load);
  return carried;
}

std::optional<double> precision_of(const Estimate& estimate) {
  if (!estimate.low || !estimate.high || estimate.value <= 0) return std::nullopt;
  return (*estimate.high - *estimate.low) / (2 * estimate.value);
}

std::optional<double> CapacityEstimate::precision() const {
  return carried.requests_per_s ? precision_of(*carried.requests_per_s) : std::nullopt;
}

std::optional<CapacityEstimate> estimate_capacity(std::span<const LevelResult> levels, LevelKind kind,
                                                  const std::vector<Objective>& objectives,
                                                  std::optional<double> workload_mean_completion) {
  const std::vector<LevelResult> chosen = levels_of({levels.begin(), levels.end()}, kind);
  std::optional<CapacityEstimate> tightest;
  std::vector<CrossingRow> rows_of_tightest;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    std::vector<CrossingRow> rows = rows_of(chosen, i);
    const std::optional<CrossingEstimate> crossing = crossing_of(rows, kind, objectives[i].percentile);
    if (!crossing || (tightest && tightest->crossing.load.value <= crossing->load.value)) continue;
    tightest = CapacityEstimate{i, *crossing, {}};
    rows_of_tightest = std::move(rows);
  }
  if (!tightest) return std::nullopt;
  const MeanCompletion mean =
      workload_mean_completion ? MeanCompletion{*workload_mean_completion, 0} : measured_mean(chosen);
  tightest->carried = carried_at(rows_of_tightest, kind, tightest->crossing.load, mean);
  return tightest;
}

}  // namespace loadline
