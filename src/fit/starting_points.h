#pragma once
// Where a fit begins: what the levels say at a glance.

#include <span>
#include <vector>

#include "engine/parameters.h"
#include "fit/replayed_level.h"

namespace loadline {

/// One start for each token budget engines are run with, without a limit of sequences and, where more load brought no
/// more requests in decode, with one. `levels` in order of load.
std::vector<EngineParameters> starting_points(std::span<const ReplayedLevel> levels, const EngineParameters& others);

}  // namespace loadline
