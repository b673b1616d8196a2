#pragma once
// The distance between a whole log, kept as counts, and a sample.

#include <cstdint>
#include <map>
#include <vector>

namespace loadline {

/// Two-sample Kolmogorov-Smirnov distance between `counts` (value -> how often) and `sample`, 0 to 1. Neither
/// may be empty.
double ks_distance_from_counts(const std::map<std::int64_t, std::uint64_t>& counts, std::vector<std::int64_t> sample);

}  // namespace loadline
