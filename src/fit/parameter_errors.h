#pragma once
// How exactly levels tell each parameter of a fit.

#include <span>
#include <vector>

#include "fit/replayed_level.h"

namespace loadline {

/// Standard errors of the coordinates (free_parameters.h) at `coordinates`: Gauss-Newton with a derivative by
/// differences, errors of the figures as stated or, where the fit is worse, as it is. A direction that changes nothing
/// is left with about a factor of twenty. Simulates the levels twice a parameter.
std::vector<double> coordinate_errors(std::span<const ReplayedLevel> levels, const EngineParameters& others,
                                      const std::vector<double>& coordinates);

}  // namespace loadline
