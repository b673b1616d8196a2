// Normal equations of a polynomial in (x - at): centred there, the constant is the height and the linear
// coefficient the slope, and the error of the height is one entry of the inverse.

#include "statistics/least_squares.h"

#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace loadline {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

// Gauss and Jordan with pivoting on the leading size x size part.
Matrix inverse(Matrix a, int size) {
  Matrix result{};
  for (int i = 0; i < size; ++i) result[static_cast<std::size_t>(i)][static_cast<std::size_t>(i)] = 1;
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    check(std::abs(a[pivot][column]) > 0, "a fit has enough different places");
    std::swap(a[pivot], a[column]);
    std::swap(result[pivot], result[column]);
    const double head = a[column][column];
    for (std::size_t j = 0; j < n; ++j) a[column][j] /= head, result[column][j] /= head;
    for (std::size_t row = 0; row < n; ++row) {
      const double factor = a[row][column];
      if (row == column) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[row][j] -= factor * a[column][j];
        result[row][j] -= factor * result[column][j];
      }
    }
  }
  return result;
}

}  // namespace

LocalFit fit_at(std::span<const Point> points, int degree, double at) {
  check(degree == 1 || degree == 2, "a fit is a line or a parabola");
  check(points.size() > static_cast<std::size_t>(degree) + 1, "a fit has more points than coefficients");
  const auto size = static_cast<std::size_t>(degree) + 1;
  Matrix normal{};
  std::array<double, 3> right{};
  for (const Point& point : points) {
    const std::array<double, 3> powers = {1, point.x - at, (point.x - at) * (point.x - at)};
    for (std::size_t i = 0; i < size; ++i) {
      right[i] += point.weight * powers[i] * point.y;
      for (std::size_t j = 0; j < size; ++j) normal[i][j] += point.weight * powers[i] * powers[j];
    }
  }
  const Matrix inverted = inverse(normal, degree + 1);
  std::array<double, 3> coefficient{};
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) coefficient[i] += inverted[i][j] * right[j];
  }
  double squares = 0;
  for (const Point& point : points) {
    const double d = point.x - at;
    const double residual = point.y - (coefficient[0] + d * (coefficient[1] + d * coefficient[2]));
    squares += point.weight * residual * residual;
  }
  LocalFit fit;
  fit.value = coefficient[0];
  fit.slope = coefficient[1];
  fit.degrees_of_freedom = static_cast<int>(points.size()) - degree - 1;
  fit.standard_error = std::sqrt(squares / fit.degrees_of_freedom * inverted[0][0]);
  return fit;
}

Trend trend(std::span<const double> heights) {
  check(heights.size() >= 3, "a trend has at least three heights");
  const auto n = static_cast<double>(heights.size());
  double mean = 0;
  for (const double height : heights) mean += height;
  mean /= n;
  const double middle = (n - 1) / 2;
  double spread = 0, together = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double d = static_cast<double>(i) - middle;
    spread += d * d;
    together += d * (heights[i] - mean);
  }
  Trend result;
  result.slope = together / spread;
  double squares = 0, neighbours = 0, before = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double residual = heights[i] - mean - result.slope * (static_cast<double>(i) - middle);
    squares += residual * residual;
    if (i > 0) neighbours += residual * before;
    before = residual;
  }
  result.standard_error = std::sqrt(squares / (n - 2) / spread);
  result.residual_correlation = squares > 0 ? neighbours / squares : 0;
  return result;
}

}  // namespace loadline
