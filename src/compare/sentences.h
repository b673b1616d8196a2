#pragma once
// What a comparison says first.

#include <string>

#include "core/comparison.h"

namespace loadline {

/// The verdict with its ratio, interval and variable; or the refusal with its reasons; of forced numbers what they
/// cannot support. Never empty.
std::string comparison_sentence(const Comparison& comparison);

/// "p99 TTFT over all loads".
std::string metric_words(const Ratio& ratio);

}  // namespace loadline
