#pragma once
// `loadline trace stats --json`. Computes nothing.

#include <string>

#include "core/trace_stats.h"

namespace loadline {

/// One JSON object, indented, ending in a line feed. Absent values are null; where sharing is unknown, `sharing.origin`
/// says so and all beside it is null; what only block hashes tell is null for the other origins.
///   format, read (= rows + refused + filtered), rows, refused{reason: n}, filtered{reason: n}, time_resolution_ms,
///   prompt_tokens{min, p1, ..., p99_9, max, mean}, completion_tokens{same}, pearson, spearman,
///   completion_by_prompt[]{from, to, n, p50, p90}, arrivals{...}, sharing{...}, sessions{...}
std::string trace_stats_json(const TraceStats& stats);

}  // namespace loadline
