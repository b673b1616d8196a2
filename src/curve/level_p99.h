#pragma once
// The percentile of a level that an objective asks for, as the result holds it.

#include <optional>
#include <vector>

#include "core/level_result.h"

namespace loadline {

/// The levels of one kind, by load.
std::vector<LevelResult> levels_of(const std::vector<LevelResult>& levels, LevelKind kind);

/// p99 over all requests, failed ones infinitely slow, in ms: +infinity where the level is saturated or its p99 lies
/// among the failures; absent where nothing was measured.
std::optional<double> p99_ms(const LevelResult& level, Latency metric);

/// Saturated, or over by this objective (`index` in the run's objectives).
bool is_over(const LevelResult& level, std::size_t index);
bool is_under(const LevelResult& level, std::size_t index);

}  // namespace loadline
