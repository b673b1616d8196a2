#pragma once
// Why a level may not be trusted.

#include <vector>

#include "core/calibration.h"
#include "core/doubt.h"
#include "core/level_result.h"
#include "measure/measured_set.h"

namespace loadline {

/// The doubts that records and result show, each with its numbers:
/// - little: |L / (X W) - 1| > 0.05, or in a closed loop |L / users - 1| > 0.02
/// - failures: more than 1% of R failed, or of 20 or more requests of the warm-up; or R has no request that succeeded,
///   unless the queue grew before there could be any
/// - coalesced: streams whose chunks arrived together, or an ITL objective where chunks carry several tokens
/// - lengths_not_as_drawn: fewer than 99% of the forced lengths obeyed, or prompts off the plan by over 1% in sum
/// - load_not_delivered: open loop, over 2% of R and over 2 of them sent later than 2% of the window's length after
/// they
///   were due, or never; or the rate that was due in the window off the asked one by over 5% and by more than chance
///   (4 standard deviations of the arrival process; not for the log's own arrivals). Closed loop: fewer than 90% of the
///   users in flight on average
/// - client_limited, client_unproven: measure/client_doubts.h
/// - not_stabilised: also for a saturated level, which has no percentiles
/// - tokens_estimated: requests of R counted by the tokenizer, or not at all
/// - class_empty: no request of R belongs to an objective's class
/// - clock_jumped: a machine's clock was set while the level ran
/// - drift: the intervals of the median TTFT of the two halves of R (200 requests at least) do not touch
std::vector<Doubt> level_doubts(const LevelRecords& records, const MeasuredSet& set, const LevelRules& rules,
                                const LevelResult& result, double engine_speed, const ClientCalibration* calibration);

}  // namespace loadline
