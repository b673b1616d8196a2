#pragma once
// How close a found capacity is to the true one, how often its interval holds it, and what it costs.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/method/one_capacity.h"

namespace loadline::bench {

struct CapacityTable {
  std::string text;
  double least = 1;  ///< the smallest share of intervals that hold
};

/// A row for each case whose name begins with `only` and each way, of `runs` seeded runs.
CapacityTable capacity_table(const std::string& only, const std::vector<Way>& ways, const std::string& budget,
                             std::uint64_t runs, unsigned threads);

}  // namespace loadline::bench
