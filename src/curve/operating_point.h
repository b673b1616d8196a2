#pragma once
// Levels -> the curve's operating point and capacity. docs/method.md section 4. Knows nothing of how a level was run.

#include <optional>
#include <vector>

#include "core/curve.h"
#include "core/doubt.h"
#include "core/level.h"
#include "core/level_result.h"

namespace loadline {

/// Capacity of the closed and of the open levels, each from its own levels alone, and the peak. Without objectives
/// there is only the peak. With several, each is estimated and the smallest capacity binds. `workload_mean_completion`:
/// mean completion tokens of the workload where lengths are prescribed and obeyed; absent: of the requests measured,
/// whose spread then widens the interval.
///
/// Crossing, by the verdicts of the levels (of rows imported without requests, by their p99):
/// - `below_first_level`: the lowest load is over. The upper end is what that level carried, absent where it carried
///   nothing (every request failed); in an open loop it is the rate offered.
/// - `above_last_level`: no load is over. The lower end is what the highest load that is `under` carried (open loop:
/// its
///   rate); while all are open there is none.
/// - else `bracketed`; also where no load is over, one is under, and the estimate's interval ends below the highest
///   load; and where requests alone tell, because levels near the crossing have few decided verdicts: at one load no
///   more of them than allowed are above the limit and at a higher load more (users: five times as many).
/// A load* outside the levels that were run gives no estimate and no end: never an extrapolation. Where no level
/// counted tokens, closed requests_per_s are estimated from X itself and output_tokens_per_s stay 0.
Curve make_curve(const std::vector<LevelResult>& levels, const std::vector<Objective>& objectives,
                 std::optional<double> workload_mean_completion);

/// few_levels (fewer than 8 different loads), not_bracketed (also where levels whose verdict is open leave the crossing
/// undecided; then it says how many), and not_monotone: at a higher load p99 is lower by more than its intervals allow
/// (upper end at the higher load below the lower end at the lower one).
std::vector<Doubt> curve_doubts(const std::vector<LevelResult>& levels, const Curve& curve,
                                const std::vector<Objective>& objectives);

}  // namespace loadline
