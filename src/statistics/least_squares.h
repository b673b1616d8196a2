#pragma once
// Weighted least squares of a line or a parabola, with what it says at one place.

#include <span>

namespace loadline {

struct Point {
  double x = 0, y = 0, weight = 1;
};
/// The fitted curve at `at`: its height and slope, the standard error of the height (residual variance estimated
/// from the fit), and the degrees of freedom left.
struct LocalFit {
  double value = 0, slope = 0, standard_error = 0;
  int degrees_of_freedom = 0;
};
/// `degree` 1 or 2; more points than coefficients, with enough different x.
LocalFit fit_at(std::span<const Point> points, int degree, double at);

/// An unweighted line through equally spaced heights (x = 0, 1, 2, ...).
struct Trend {
  double slope = 0, standard_error = 0;
  double residual_correlation = 0;  ///< of neighbouring residuals, lag 1
};
/// At least 3 heights.
Trend trend(std::span<const double> heights);

}  // namespace loadline
