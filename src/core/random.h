#pragma once
// One seed gives one plan on every machine: std::*_distribution differs between libraries, so the
// generator (SplitMix64, Steele, Lea, Flood 2014) and the transforms are fixed here.

#include <cstdint>

namespace loadline {

/// A well-mixed 64-bit hash of `x` (the SplitMix64 finaliser).
std::uint64_t mix(std::uint64_t x);
/// Order-dependent combination of two keys into one.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return mix(mix(a) + 0x9e3779b97f4a7c15ULL * (b + 1)); }

/// A stream of random numbers, fully decided by its seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in the open interval (0, 1): never 0, never 1, so that logarithms and quantiles exist.
  double uniform();
  /// Uniform integer in [0, n), n > 0, without modulo bias.
  std::uint64_t below(std::uint64_t n);
  /// Exponential with the given mean.
  double exponential(double mean);
  /// Standard normal by inverse transform (Acklam's rational approximation, relative error 1.15e-9).
  double normal();

 private:
  std::uint64_t state_;
};

/// Quantile function of the standard normal, 0 < p < 1.
double normal_quantile(double p);

}  // namespace loadline
