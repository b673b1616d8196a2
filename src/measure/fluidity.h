#pragma once
// Fluidity: the share of its token deadlines that an answer met. docs/method.md section 1.

#include <optional>

#include "core/level_result.h"
#include "measure/measured_set.h"

namespace loadline {

/// Token i (from 0) is due at due + `ttft` + i * `tpot`; a token that comes later is a miss, and those after it are due
/// from its own arrival on. 0 for a request that failed; absent where its tokens' times are not known (a coalesced
/// stream, an answer in one piece, one cut off by us).
std::optional<double> fluidity(const LevelRecords& records, const RequestRecord& record, Nanos ttft, Nanos tpot);

/// Fills result.fluidity by the TTFT and TPOT of `limits`; nothing where one of them is missing, or chunks are not
/// tokens.
void tell_fluidity(const LevelRecords& records, const MeasuredSet& set, const GoodputLimits& limits,
                   LevelResult& result);

}  // namespace loadline
