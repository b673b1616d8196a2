#include "fit/parameter_errors.h"

#include <algorithm>
#include <cmath>

#include "fit/free_parameters.h"
#include "fit/misfit.h"

namespace loadline {
namespace {

constexpr double step = 0.05;
constexpr double untold_ln = 3, untold_share = 1;  ///< standard errors where the levels say nothing

using Matrix = std::vector<std::vector<double>>;

/// Of a symmetric positive definite matrix, by Gauss and Jordan.
Matrix inverse(Matrix matrix) {
  const std::size_t n = matrix.size();
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i].resize(2 * n, 0);
    matrix[i][n + i] = 1;
  }
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    const double scale = matrix[pivot][pivot];
    for (double& value : matrix[pivot]) value /= scale;
    for (std::size_t row = 0; row < n; ++row) {
      if (row == pivot) continue;
      const double factor = matrix[row][pivot];
      for (std::size_t column = 0; column < 2 * n; ++column) matrix[row][column] -= factor * matrix[pivot][column];
    }
  }
  for (std::vector<double>& row : matrix) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
  return matrix;
}

/// d misfits / d coordinate.
std::vector<double> derivative(std::span<const ReplayedLevel> levels, const EngineParameters& others,
                               const std::vector<double>& coordinates, std::size_t of) {
  std::vector<double> up = coordinates, down = coordinates;
  up[of] += step;
  down[of] -= step;
  std::vector<double> slopes = misfits(levels, parameters_at(up, others));
  const std::vector<double> below = misfits(levels, parameters_at(down, others));
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = (slopes[i] - below[i]) / (2 * step);
  return slopes;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

std::vector<double> coordinate_errors(std::span<const ReplayedLevel> levels, const EngineParameters& others,
                                      const std::vector<double>& coordinates) {
  const std::size_t n = coordinates.size();
  std::vector<std::vector<double>> slopes;
  for (std::size_t i = 0; i < n; ++i) slopes.push_back(derivative(levels, others, coordinates, i));
  Matrix information(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) information[i][j] = product(slopes[i], slopes[j]);
    const double untold = free_parameters()[i].is_share ? untold_share : untold_ln;
    information[i][i] += 1 / (untold * untold);
  }
  const std::vector<double> residuals = misfits(levels, parameters_at(coordinates, others));
  const double freedom = std::max(1.0, static_cast<double>(residuals.size()) - static_cast<double>(n));
  const double worse = std::max(1.0, sum_of_squares(residuals) / freedom);
  const Matrix covariance = inverse(std::move(information));
  std::vector<double> errors;
  for (std::size_t i = 0; i < n; ++i) errors.push_back(std::sqrt(covariance[i][i] * worse));
  return errors;
}

}  // namespace loadline
