#pragma once
// Arrival processes of rate 1: what a rate makes faster or slower.

#include <cstdint>

#include "core/level.h"
#include "core/random.h"

namespace loadline {

/// Arrivals of a process of mean gap 1, one after another, decided by `seed` on every machine.
///
/// constant: 1, 2, 3, ... exactly. poisson: exponential gaps. gamma: gaps of a gamma law with shape Level::burstiness
/// and mean 1, so their coefficient of variation is 1 / sqrt(shape); shape 1 is Poisson (from other random numbers).
class UnitArrivals {
 public:
  /// `level`: of a request rate, its arrivals one of the three.
  UnitArrivals(const Level& level, std::uint64_t seed);
  double next() { return at_ += gap(); }

 private:
  double gap();

  Arrivals arrivals_;
  double shape_;
  Random random_;
  double at_ = 0;
};

/// A gamma variate of mean `shape`: shape > 0, scale 1. G. Marsaglia, W. W. Tsang, "A simple method for generating
/// gamma variables", 2000; below 1 by their identity gamma(shape) = gamma(shape + 1) * U^(1 / shape).
double gamma_variate(double shape, Random& random);

}  // namespace loadline
