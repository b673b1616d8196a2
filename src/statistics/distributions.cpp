#include "statistics/distributions.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "core/error.h"

namespace loadline {

double beta_quantile(double p, double a, double b) {
  check(a > 0 && b > 0 && p > 0 && p < 1, "a beta quantile has positive shapes and 0 < p < 1");
  return boost::math::quantile(boost::math::beta_distribution<double>(a, b), p);
}

double student_quantile(double p, double degrees) {
  check(degrees > 0 && p > 0 && p < 1, "a Student quantile has positive degrees and 0 < p < 1");
  return boost::math::quantile(boost::math::students_t_distribution<double>(degrees), p);
}

Interval clopper_pearson(double k, double n) {
  check(n > 0 && k >= 0 && k <= n, "a share is k of n");
  Interval interval{0.0, 1.0};
  if (k > 0) interval.low = beta_quantile(0.025, k, n - k + 1);
  if (k < n) interval.high = beta_quantile(0.975, k + 1, n - k);
  return interval;
}

}  // namespace loadline
