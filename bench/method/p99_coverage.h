#pragma once
// How often the 95% interval of p99 TTFT holds the long-run value.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/method/one_level.h"

namespace loadline::bench {

struct Coverage {
  std::uint64_t runs = 0, holds = 0, holds_if_independent = 0, without_upper_end = 0;
  double median_width = 0;  ///< (high - low) / p99 of the runs that have both ends; 0 where none has
  double median_width_if_independent = 0;
  double holds_share() const { return static_cast<double>(holds) / static_cast<double>(runs); }
};

/// `runs` seeded levels of `requests`. An upper end that does not exist holds on that side.
Coverage cover(const LevelCase& one, std::uint32_t requests, std::uint64_t runs, unsigned threads);

struct CoverageTable {
  std::string text;
  double least = 1;  ///< the smallest share that holds
};
/// All cases whose name begins with `only`, at each of `sizes`.
CoverageTable coverage_table(const std::string& only, const std::vector<std::uint32_t>& sizes, std::uint64_t runs,
                             unsigned threads);

}  // namespace loadline::bench
