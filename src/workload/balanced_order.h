#pragma once
// A random order whose every beginning is like the whole.

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"

namespace loadline {

/// Endless passes over units, each unit once in a pass. Units are sorted by their residual, which says how far and to
/// which side a unit departs from the whole; ties are in random order. Number i of a pass is then the unit at place
/// floor(frac(u0 + i * 0.618...) * units), or the next one that is not taken: the golden ratio spreads every beginning
/// evenly over the sorted units [Kronecker sequence; Kuipers & Niederreiter 1974], so that residuals cancel early. u0
/// is random and new in each pass.
class BalancedOrder {
 public:
  /// `residuals`: one per unit, at least one.
  BalancedOrder(std::span<const double> residuals, std::uint64_t seed);

  std::uint32_t next();
  /// True when the next unit is the first of a pass.
  bool at_pass_start() const { return taken_ == 0; }

 private:
  std::size_t free_from(std::size_t place);

  Random random_;
  std::vector<std::uint32_t> sorted_;  ///< units by residual
  std::vector<std::uint32_t> free_;    ///< by place: a place that may be free; itself where it is (path compression)
  double start_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace loadline
