#pragma once
// How far two samples lie apart.

#include <cstdint>
#include <vector>

namespace loadline {

/// Two-sample Kolmogorov-Smirnov distance: the largest difference of the two empirical distribution functions,
/// 0 to 1. Neither sample empty.
double ks_distance(std::vector<std::int64_t> a, std::vector<std::int64_t> b);

}  // namespace loadline
