#pragma once
// How requests are drawn, as users say it, and what they are told of the draw.

#include <optional>
#include <string>
#include <string_view>

#include "core/workload.h"

namespace loadline {

/// Empty: none named. Error for a word that names no sampler of logs.
std::optional<Sampler> sampler_of(const std::string& word);
/// "drop" or "clip"; Error naming `flag` for anything else.
bool drops_over_limit(const std::string& word, std::string_view flag);

/// "1,200 requests by the sampler sessions, prompt KS 0.0120, completion KS 0.0090, prefix sharing 37.4% in the log and
/// 36.9% here", on standard error; then what is doubtful of it, and what became of prompts over the limit.
void print_sample(const Workload& workload, const SampleDistance& distance);

}  // namespace loadline
