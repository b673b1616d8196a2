#pragma once
// One level of an exact number of requests on the engine model, by the product's own plan, course and measure.

#include <cstdint>
#include <string>
#include <vector>

#include "app/input.h"
#include "app/plan_level.h"
#include "core/level_result.h"

namespace loadline::bench {

/// A load of the worked example on engine A, and its p99 TTFT in the long run (method_bench truth).
struct LevelCase {
  std::string name;
  Level level;
  double p99_s = 0, p99_s_low = 0, p99_s_high = 0;  ///< the long-run value and its own 95% interval
};
const std::vector<LevelCase>& level_cases();

/// The traffic of all cases; read once, shared by all threads.
const Input& worked_example();

struct ObservedLevel {
  LevelResult result;
  std::vector<double> ttft_s;  ///< of R in order of due
};

/// `expected`: what a pilot tells of an open loop, as levels before it do in a sweep.
ObservedLevel observe(const Level& level, std::uint32_t requests, std::uint64_t seed, const Expectation& expected);

/// Of an open loop the mean duration of a short level, as a sweep would know it; of a closed one nothing.
Expectation pilot(const Level& level);

}  // namespace loadline::bench
