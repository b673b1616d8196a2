#pragma once
// What a comparison says first.

#include <string>

#include "core/comparison.h"

namespace loadline {

/// The verdict with its ratio, interval and variable; or the refusal with its reasons; of forced numbers what they
/// cannot support. Never empty.
std::string comparison_sentence(const Comparison& comparison);

/// "capacity of the closed loop", "p99 TTFT over all loads", for sentences and tables.
std::string metric_words(const Ratio& ratio);
/// "95%, Student over 4 pairs of passes"; why there is none where there is none.
std::string interval_words(const Ratio& ratio);

}  // namespace loadline
