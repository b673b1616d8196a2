#pragma once
// What makes the requests of a level its own: their seed and their numbers in the run.

#include <cstdint>

#include "workload/draw.h"
#include "workload/length_rule.h"

namespace loadline {

/// The seed of the lengths of a level.
std::uint64_t lengths_seed(const DrawSettings& settings);
/// The same for all levels of a run.
std::uint64_t window_seed(const DrawSettings& settings);
/// Throws Error where a level cannot number so many requests.
void require_countable(std::size_t count);
/// Prompt::own of request `index` of a level, unique in the run.
std::uint64_t own_key(std::uint32_t ordinal, std::size_t index);
/// Prompt::own of the `before`-th request before the first one of a level, counted from 0.
std::uint64_t history_key(std::uint32_t ordinal, std::size_t before);
/// Writes down what `rule` did.
void note_lengths(Workload& workload, const LengthRule& rule);

}  // namespace loadline
