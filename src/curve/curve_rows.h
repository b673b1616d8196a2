#pragma once
// Levels as the estimate and the interpolation take them.

#include <optional>
#include <span>
#include <vector>

#include "core/curve.h"
#include "core/level_result.h"
#include "curve/crossing_estimate.h"

namespace loadline {

/// Mean completion tokens, and how far that mean may be off at 95%, relative.
struct MeanCompletion {
  double tokens = 0, relative_error = 0;
};
/// Of all requests of the levels with 1,000 requests or more, or of all levels where there are none; 0 where no
/// level counted tokens.
MeanCompletion measured_mean(std::span<const LevelResult> levels);

/// Rows for objective number `index`: levels that judged it, and saturated ones.
std::vector<CrossingRow> rows_of(std::span<const LevelResult> levels, std::size_t index);

/// The drawn curve's crossing of objective number `index`, by its own percentile.
std::optional<Interpolated> interpolated_of(std::span<const LevelResult> levels, const Objective& objective,
                                            std::size_t index);

}  // namespace loadline
