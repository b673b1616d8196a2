#pragma once
// The mean of a few independent values and how far it may be off.

#include <optional>
#include <span>

namespace loadline {

struct MeanInterval {
  double mean = 0, low = 0, high = 0;
  double deviation = 0;  ///< of the values, divisor n - 1
};

/// mean -+ t(0.975; n - 1) deviation / sqrt(n) [Student 1908]; absent for fewer than two values.
std::optional<MeanInterval> mean_interval(std::span<const double> values);

}  // namespace loadline
