#pragma once
// What differs at equal load: request rate, TTFT and TPOT of the same requests on both sides.

#include <cstdint>
#include <span>
#include <vector>

#include "compare/level_pair.h"
#include "core/comparison.h"

namespace loadline {

struct BootstrapSettings {
  std::uint64_t seed = 1;
  std::uint32_t resamples = 200;
};

/// The ratios at one load. `passes`: that load, once in each pass. From `least_pairs` passes on by Student over the
/// passes, else by a bootstrap over batches of requests. The request rate X is that of a closed loop: by Little's law
/// users / mean residence of the requests both sides measured, times the share that succeeded; an open loop has none.
std::vector<Ratio> ratios_at_load(std::span<const LevelPair> passes, const BootstrapSettings& settings);

/// `metric` over all loads together: the mean of the logarithms of the ratios at each; the interval by Student over the
/// passes that have every load, else from the errors at each load, which are independent.
Ratio ratio_over_loads(RatioMetric metric, std::span<const std::vector<LevelPair>> loads,
                       const BootstrapSettings& settings);

}  // namespace loadline
