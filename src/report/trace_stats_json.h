#pragma once
// `loadline trace stats --json`. Computes nothing but the bytes of a cache size.

#include <string>

#include "core/trace_stats.h"
#include "report/trace_stats_extras.h"

namespace loadline {

/// One JSON object, indented, ending in a line feed. Absent values are null; where sharing is unknown, `sharing.origin`
/// says so and all beside it is null; what only block hashes tell is null for the other origins. Without a model so are
/// `model`, `kv_bytes_per_token` and each `capacity_bytes`.
///   format, read (= rows + refused + filtered), rows, refused{reason: n}, refused_lines{reason: first ten},
///   filtered{reason: n}, time_resolution_ms, time_zone, started, tokens (counted|estimated), tokens_per_character,
///   prompt_tokens{min, p1, ..., p99_9, max, mean}, completion_tokens{same}, pearson, spearman,
///   completion_by_prompt[]{from, to, n, p50, p90}, arrivals{...}, sharing{...}, sessions{...}, remarks[], model,
///   kv_bytes_per_token
/// docs/reference/trace.md explains each.
std::string trace_stats_json(const TraceStats& stats, const TraceStatsExtras& extras = {});

}  // namespace loadline
