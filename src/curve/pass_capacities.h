#pragma once
// What each repetition of a sweep says of the capacity by its own levels alone, and how far they lie apart.

#include <optional>
#include <span>
#include <vector>

#include "core/curve.h"
#include "core/estimate.h"
#include "core/level_result.h"

namespace loadline {

/// One for each pass in `levels`; empty for a single pass. `workload_mean_completion` as in make_curve.
std::vector<PassCapacity> capacities_of_passes(const std::vector<LevelResult>& levels,
                                               const std::vector<Objective>& objectives,
                                               std::optional<double> workload_mean_completion);

/// Mean of the closed capacities in ln requests/s, with Student's 95% interval over passes; absent for fewer than two.
std::optional<Estimate> capacity_between(std::span<const PassCapacity> passes);

}  // namespace loadline
