#pragma once
// How a sample stands to its log, in one half sentence for terminal pages. Nothing foreign is in it.

#include <string>

#include "core/workload.h"

namespace loadline {

/// "KS distance prompt 0.0210, completion 0.0180; token hit rate 37.4% in the log, 36.1% drawn": what is absent is left
/// out; empty where all is. The rate before long prompts were cut or dropped follows where any was.
std::string sample_words(const SampleDistance& sample);

/// "3 prompts cut to the longest allowed, 2 prompts dropped as too long"; empty where none was.
std::string over_limit_words(std::uint64_t cut_prompts, std::uint64_t dropped_prompts);

}  // namespace loadline
