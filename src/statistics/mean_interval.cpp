#include "statistics/mean_interval.h"

#include <cmath>

#include "statistics/distributions.h"

namespace loadline {

std::optional<MeanInterval> mean_interval(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / (n - 1));
  const double side = student_quantile(0.975, n - 1) * deviation / std::sqrt(n);
  return MeanInterval{mean, mean - side, mean + side, deviation};
}

}  // namespace loadline
