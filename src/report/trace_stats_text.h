#pragma once
// `loadline trace stats` for a terminal. Computes nothing but the bytes of a cache size; shows no text of a prompt.

#include <string>

#include "core/trace_stats.h"
#include "report/trace_stats_extras.h"

namespace loadline {

/// At most 100 columns wide: rows read, used, refused (with reasons and the first lines) and left out; both length
/// distributions; completions by prompt; arrivals; sharing, with the bytes of each cache size where a model is named;
/// sessions; remarks. What is absent says so in words.
std::string trace_stats_text(const TraceStats& stats, const TraceStatsExtras& extras = {});

}  // namespace loadline
