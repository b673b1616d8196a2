#pragma once
// How requests are drawn, as users say it, and what they are told of the draw.

#include <optional>
#include <string>
#include <string_view>

#include "core/workload.h"

namespace loadline {

/// Empty: none named. Error for a name that is no sampler of logs.
std::optional<Sampler> sampler_of(const std::string& name);
/// "drop" or "clip"; Error naming `flag` for anything else.
bool drops_over_limit(const std::string& word, std::string_view flag);

/// "sampler sessions: prompt KS 0.012, completion KS 0.009, sharing 37.4% in the log and 36.9% here", on standard
/// error.
void print_sample(const Workload& workload, const SampleDistance& distance);

}  // namespace loadline
