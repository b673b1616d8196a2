#pragma once
// Where the tightest objective is crossed, wherever that lies, and what is carried there: what a search steers by. The
// report asks more of it (operating_point.h): that the levels bracket it.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/estimate.h"
#include "core/level.h"
#include "core/level_result.h"
#include "curve/crossing_estimate.h"
#include "curve/curve_rows.h"

namespace loadline {

/// docs/method.md section 4, steps 1 to 5, for an objective of that percentile; absent without rows.
std::optional<CrossingEstimate> crossing_of(const std::vector<CrossingRow>& rows, LevelKind kind, double percentile);

/// What is carried at a crossing. In an open loop requests/s is the load itself.
struct Carried {
  std::optional<Estimate> requests_per_s, output_tokens_per_s;  ///< absent where the levels do not tell
};
Carried carried_at(std::span<const CrossingRow> rows, LevelKind kind, const Estimate& load, const MeanCompletion& mean);

struct CapacityEstimate {
  std::size_t objective = 0;  ///< the one crossed at the lowest load
  CrossingEstimate crossing;
  Carried carried;
  /// (high - low) / (2 value) of requests/s; absent where an end is.
  std::optional<double> precision() const;
};

/// Of the levels of `kind` in `levels`. `workload_mean_completion` as in make_curve. Absent where no level judged an
/// objective.
std::optional<CapacityEstimate> estimate_capacity(std::span<const LevelResult> levels, LevelKind kind,
                                                  const std::vector<Objective>& objectives,
                                                  std::optional<double> workload_mean_completion);

/// (high - low) / (2 value); absent where an end is or the value is 0.
std::optional<double> precision_of(const Estimate& estimate);

}  // namespace loadline
