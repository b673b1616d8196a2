#include "statistics/dependence.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

// Variance of the batch means, divisor b - 1.
double sample_variance(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

// `batch_means(b, means)` fills the means of b batches and returns the values in a batch, 0 where there are too few.
template <class BatchMeans>
Dependence dependence_by_batches(double mean, const BatchMeans& batch_means) {
  Dependence result;
  const double independent = mean * (1 - mean);
  if (independent <= 0) return result;
  const auto tau_of = [&](std::size_t batches) {
    std::array<double, 20> means{};
    const double size = batch_means(batches, std::span(means).first(batches));
    return size * sample_variance(std::span(means).first(batches)) / independent;
  };
  result.tau_5 = tau_of(5);
  result.tau_10 = tau_of(10);
  result.tau_20 = tau_of(20);
  result.tau = std::max({1.0, result.tau_5, result.tau_10, result.tau_20});
  return result;
}

}  // namespace

Dependence dependence(std::span<const std::uint8_t> exceeds) {
  if (exceeds.empty()) return {};
  double sum = 0;
  for (const std::uint8_t one : exceeds) sum += one;
  return dependence_by_batches(sum / static_cast<double>(exceeds.size()),
                               [&](std::size_t batches, std::span<double> means) {
                                 const std::size_t size = exceeds.size() / batches;
                                 if (size == 0) return 0.0;
                                 for (std::size_t j = 0; j < batches; ++j) {
                                   std::uint64_t above = 0;
                                   for (const std::uint8_t one : exceeds.subspan(j * size, size)) above += one;
                                   means[j] = static_cast<double>(above) / static_cast<double>(size);
                                 }
                                 return static_cast<double>(size);
                               });
}

Dependence pooled_dependence(std::span<const ExceedCount> requests) {
  ExceedCount all;
  for (const ExceedCount& one : requests) all.values += one.values, all.exceeding += one.exceeding;
  if (all.values == 0) return {};
  const double mean = static_cast<double>(all.exceeding) / static_cast<double>(all.values);
  return dependence_by_batches(mean, [&](std::size_t batches, std::span<double> means) {
    const std::size_t size = requests.size() / batches;
    std::uint64_t values_in_batches = 0;
    for (std::size_t j = 0; j < batches; ++j) {
      ExceedCount batch;
      for (const ExceedCount& one : requests.subspan(j * size, size)) {
        batch.values += one.values;
        batch.exceeding += one.exceeding;
      }
      values_in_batches += batch.values;
      // A batch without one value says nothing of its own: it takes the mean.
      means[j] = batch.values == 0 ? mean : static_cast<double>(batch.exceeding) / static_cast<double>(batch.values);
    }
    return static_cast<double>(values_in_batches) / static_cast<double>(batches);
  });
}

}  // namespace loadline
