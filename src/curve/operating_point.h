#pragma once
// Levels -> the curve's operating point and capacity. docs/method.md section 4. Knows nothing of how a level was run.

#include <optional>
#include <vector>

#include "core/curve.h"
#include "core/doubt.h"
#include "core/level.h"
#include "core/level_result.h"

namespace loadline {

/// Capacity of the closed and of the open levels, each from its own levels alone, and the peak. Without objectives there
/// is only the peak. With several, each is estimated and the smallest capacity binds.
/// `workload_mean_completion`: mean completion tokens of the workload where lengths are prescribed and obeyed;
/// absent: of the requests measured, whose spread then widens the interval.
///
/// Crossing: `below_first_level` when the lowest load is over; `above_last_level` when no level is over and the
/// estimate's interval does not end below the highest load either; else `bracketed`. Never an extrapolation.
Curve make_curve(const std::vector<LevelResult>& levels, const std::vector<Objective>& objectives,
                 std::optional<double> workload_mean_completion);

/// few_levels (fewer than 8 different loads), not_bracketed, and not_monotone: at a higher load p99 is lower by more
/// than its intervals allow (upper end at the higher load below the lower end at the lower one).
std::vector<Doubt> curve_doubts(const std::vector<LevelResult>& levels, const Curve& curve,
                                const std::vector<Objective>& objectives);

}  // namespace loadline
