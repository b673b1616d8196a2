#pragma once
// When a log's requests came.

#include <span>

#include "core/trace_stats.h"
#include "core/units.h"

namespace loadline {

/// `arrivals` ascending, at least one. rate = (arrivals - 1) / span. gap_cv = standard deviation over mean of the
/// gaps, divisor n, zero gaps kept. dispersion = variance (divisor n) over mean of the requests in bins of 1 s or 60 s
/// that start at the first arrival, over the bins that lie wholly inside the span; absent for fewer than two. busiest
/// counts the fullest bin, also the last, unfinished one. coarse: the clock's step is over 1 s.
ArrivalStats describe_arrivals(std::span<const Nanos> arrivals, double time_resolution_ms);

}  // namespace loadline
