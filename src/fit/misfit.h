#pragma once
// How far an engine's levels are from the measured ones, as one vector.

#include <span>
#include <vector>

#include "fit/free_parameters.h"
#include "fit/replayed_level.h"

namespace loadline {

/// ln(simulated / measured) / spread of every figure of every level; an engine that answers nothing of a level is
/// hundreds of spreads away. Simulates the levels on all cores.
std::vector<double> misfits(std::span<const ReplayedLevel> levels, const EngineParameters& parameters);

double sum_of_squares(std::span<const double> values);

}  // namespace loadline
