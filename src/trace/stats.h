#pragma once
// Trace -> TraceStats: what a log holds, in numbers. `sharing` stays absent: prefix/ makes it, the caller puts it in.

#include <optional>

#include "core/trace.h"
#include "core/trace_stats.h"

namespace loadline {

/// Quantiles are nearest ranks. Correlations: Pearson, and Spearman with mean ranks for ties; absent where one of the
/// lengths does not vary. completion_by_prompt: bins whose edges are the prompt's own quantiles 0, 10, 25, 50, 75, 90,
/// 95, 99 and 100%, the first reaching from min - 1; bins that ties leave empty are dropped.
/// `trace` needs at least one row.
TraceStats describe(const Trace& trace);

/// Requests/s of the fullest whole minute of the log: what sizing divides by capacity. Absent where the log has no
/// times or spans less than a minute.
std::optional<double> busiest_minute_requests_per_s(const TraceStats& stats);

}  // namespace loadline
