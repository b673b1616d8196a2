#pragma once
// How many independent values a dependent series is worth. docs/method.md section 3, steps 1 to 3.

#include <cstdint>
#include <span>

namespace loadline {

/// (t(0.975; 4) / 1.959964)^2 with t = 2.776445: the price of estimating a variance from 5 batches.
inline constexpr double student_inflation = 2.0066979;

/// The dependence of exceedances: variance of batch means over what independence would give, for 5, 10 and
/// 20 batches; tau is the largest, at least 1.
struct Dependence {
  double tau_5 = 0, tau_10 = 0, tau_20 = 0;
  double tau = 1;
  /// n / (tau * student_inflation): what `n` dependent values are worth.
  double effective(double n) const { return n / (tau * student_inflation); }
};

/// Of a series of 0 and 1 in order of due: 1 where the value exceeds what is asked about.
Dependence dependence(std::span<const std::uint8_t> exceeds);

/// One request's part of a pooled series (token gaps): how many values, how many of them exceed.
struct ExceedCount {
  std::uint64_t values = 0, exceeding = 0;
};
/// Of pooled values: batches are consecutive requests, a batch's mean is its share of exceeding values, and the
/// batch size is the mean number of values in a batch.
Dependence pooled_dependence(std::span<const ExceedCount> requests);

}  // namespace loadline
