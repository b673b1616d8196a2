#pragma once
// Quantiles of the distributions that the intervals need. Behind them stands Boost.Math, in one translation unit.

#include "core/estimate.h"

namespace loadline {

/// x with P(Beta(a, b) <= x) = p. a, b > 0, 0 < p < 1.
double beta_quantile(double p, double a, double b);
/// x with P(T <= x) = p for Student's t with `degrees` of freedom (> 0).
double student_quantile(double p, double degrees);
/// The 95% interval of Clopper and Pearson for k of n, both real (n an effective size). 0 <= k <= n, n > 0.
/// Both ends always exist.
Interval clopper_pearson(double k, double n);

}  // namespace loadline
