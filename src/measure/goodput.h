#pragma once
// Requests that met every per-request limit. docs/method.md sections 2 and 4.

#include <span>

#include "core/level_result.h"
#include "measure/measured_set.h"

namespace loadline {

/// `limits`, or those of the objectives where none is set (the tighter where two name one metric; ITL is not a
/// per-request limit, and what holds for a class alone is none of all requests).
GoodputLimits effective_limits(const GoodputLimits& limits, std::span<const Objective> objectives);
/// Succeeded and within every limit; an undefined TPOT meets its limit.
bool is_good(const RequestRecord& record, const GoodputLimits& limits);
/// Fills goodput and attainment (good / succeeded and failed of R); nothing without limits. Absent too: the goodput in
/// tokens where tokens were not counted, and all of it where a TPOT limit then cannot be judged.
void tell_goodput(const LevelRecords& records, const MeasuredSet& set, const GoodputLimits& limits,
                  LevelResult& result);

}  // namespace loadline
