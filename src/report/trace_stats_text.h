#pragma once
// `loadline trace stats` for a terminal. Computes nothing; shows no text of a prompt.

#include <string>

#include "core/trace_stats.h"

namespace loadline {

/// At most 100 columns wide: rows read, used, refused (with reasons and the first lines) and left out; both length
/// distributions; completions by prompt; arrivals; sharing; sessions. What is absent says so in words.
std::string trace_stats_text(const TraceStats& stats);

}  // namespace loadline
