#pragma once
// One capacity in virtual time, found by the product's own sweep.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/curve.h"
#include "engine/parameters.h"

namespace loadline::bench {

/// An engine and an objective on p99 TTFT over the worked example, with what long runs gave (docs/method.md section 4).
struct CapacityCase {
  std::string name;
  EngineParameters engine;
  double limit_ms = 0;
  double users = 0, requests_per_s = 0;       ///< where the closed loop crosses it
  std::optional<double> open_requests_per_s;  ///< where Poisson arrivals do; absent where nobody looked
};
const std::vector<CapacityCase>& capacity_cases();

enum class Way : std::uint8_t {
  search,  ///< --search
  sweep,   ///< the default
  curve,   ///< --no-refine
  ten,     ///< a fixed list of ten levels of 1,000 requests
  open,    ///< a closed sweep, then --open
};
Way way_named(const std::string& word);

struct FoundCapacity {
  std::optional<Capacity> capacity;  ///< of the closed loop; of the open one where that was asked for
  double engine_s = 0;               ///< of the part that found it
  std::optional<SweepEnd> end;
};

/// `budget`: as --budget takes it; empty: the default.
FoundCapacity find_capacity(const CapacityCase& one, Way way, const std::string& budget, std::uint64_t seed);

}  // namespace loadline::bench
