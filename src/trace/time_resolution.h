#pragma once
// The step of a log's clock, where it is coarser than its numbers pretend.

#include <span>
#include <vector>

#include "core/trace.h"

namespace loadline {

/// The step in ms in which the arrivals of `rows` (ascending) advance; 0 where they advance in no steps.
/// A clock ticks when at least half of all gaps are zero (many requests to a tick), there are at least 100 ticks,
/// and nine of ten gaps between ticks are at least 0.9 of their median, which is the step. So a log stamped in
/// milliseconds but written every three seconds is found out, and a busy or bursty one is not.
double observed_resolution_ms(const std::vector<TraceRow>& rows);
/// The same of arrivals alone, ascending.
double observed_resolution_ms(std::span<const Nanos> arrivals);

}  // namespace loadline
