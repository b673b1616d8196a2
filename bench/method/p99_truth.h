#pragma once
// What p99 TTFT of a case is in the long run: many long levels, pooled.

#include <cstdint>
#include <string>

#include "bench/method/one_level.h"

namespace loadline::bench {

/// A pooled percentile, and the 95% interval that the spread between the runs leaves it.
struct LongRun {
  double p99_s = 0, low_s = 0, high_s = 0;
  double output_tokens_per_s = 0;
};

/// p99 over all requests of `runs` levels of `requests` each. Its error: of the share above it, from run to run, by
/// Student.
LongRun long_run(const LevelCase& one, std::uint64_t runs, std::uint32_t requests, unsigned threads);

/// The table of all cases whose name begins with `only`.
std::string truth_table(const std::string& only, std::uint64_t runs, std::uint32_t requests, unsigned threads);

}  // namespace loadline::bench
