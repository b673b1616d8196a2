#pragma once
// LevelRecords -> LevelResult: the measured set, its quantiles with their intervals, the books, the doubts.
// A pure function of what happened: a stored run measured again, also by another objective, gives the same
// numbers. Knows no HTTP, no plan and no clock. docs/method.md sections 1 to 3.

#include "core/calibration.h"
#include "core/level.h"
#include "core/level_result.h"
#include "core/record.h"

namespace loadline {

/// Everything of a LevelResult but `bound`, `cache.target_rate` and the doubts about the run as a whole.
///
/// R = released requests due in [window_start, window_end); a level cut off in its window is measured up to `ended`;
/// one that never opened a window has R empty and says `not_stabilised`. Censored and unsent requests of R are
/// neither success nor failure: they are in the books and in no latency, share or rate.
/// Stability replays the checks of the running level over R in order of due (1,000, then 25% more each, the last
/// one at all of R), so that it may be judged by `rules.objectives` that the run did not know.
/// A level whose number of requests the sweep fixed is measured by that (rules_of).
/// Where no request of R succeeded the level is `not_stabilised` whatever the verdict (failures are infinitely slow:
/// over). `limits` are the per-request limits of goodput; where none is set those of the objectives serve.
/// `engine_speed` = engine time / wall time: the client's own lateness is judged in wall time.
/// `calibration`: what the client was proven to carry, where it is known; a level beyond it carries a doubt.
/// Throws Bug where the books do not balance.
LevelResult measure(const LevelRecords& records, const LevelRules& run_rules, const GoodputLimits& limits,
                    double engine_speed = 1, const ClientCalibration* calibration = nullptr);

}  // namespace loadline
