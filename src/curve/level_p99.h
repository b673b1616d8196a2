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

/// The percentile that the run's objective number `index` asks for, over the requests it judges, as above. Of a level
/// imported without its requests p99 of all requests is known and nothing else.
std::optional<double> percentile_ms(const LevelResult& level, std::size_t index, const Objective& objective);
/// Effective sample size of that percentile; 1 where it is not known.
double percentile_n_eff(const LevelResult& level, std::size_t index, const Objective& objective);

/// More than `times` the share that objective `index` allows lies above its limit, or the queue grows.
bool has_too_many_above(const LevelResult& level, std::size_t index, double times);
/// So much more than the allowed share that few requests tell it: 5% of a p99.
inline constexpr double far_above = 5;

/// Saturated, or over by this objective (`index` in the run's objectives).
bool is_over(const LevelResult& level, std::size_t index);
bool is_under(const LevelResult& level, std::size_t index);

}  // namespace loadline
