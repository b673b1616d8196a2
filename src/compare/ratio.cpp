#include "compare/ratio.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "statistics/distributions.h"
#include "statistics/mean_interval.h"

namespace loadline {

Estimate LogRatio::ratio() const { return {std::exp(mean), std::exp(mean - half_width), std::exp(mean + half_width)}; }

std::optional<LogRatio> ratio_of_pairs(std::span<const std::pair<double, double>> pairs) {
  if (pairs.size() < least_pairs) return std::nullopt;
  std::vector<double> logarithms;
  for (const auto& [a, b] : pairs) logarithms.push_back(std::log(b) - std::log(a));
  const std::optional<MeanInterval> interval = mean_interval(logarithms);
  if (!interval) return std::nullopt;
  return LogRatio{interval->mean, interval->high - interval->mean, interval->deviation};
}

std::optional<double> bootstrap_error(std::size_t batches, const BatchStatistic& statistic, std::uint64_t seed,
                                      std::uint32_t resamples) {
  constexpr std::size_t least_batches = 5;
  if (batches < least_batches) return std::nullopt;
  Random random(seed);
  std::vector<std::size_t> drawn(batches);
  double n = 0, sum = 0, squares = 0;
  for (std::uint32_t i = 0; i < resamples; ++i) {
    for (std::size_t& batch : drawn) batch = static_cast<std::size_t>(random.below(batches));
    const std::optional<double> value = statistic(drawn);
    if (!value) continue;
    n += 1;
    sum += *value;
    squares += *value * *value;
  }
  if (n < 2 || n < 0.95 * resamples) return std::nullopt;
  const double variance = std::max(0.0, (squares - sum * sum / n) / (n - 1));
  const auto k = static_cast<double>(batches);
  return std::sqrt(variance * k / (k - 1));
}

LogRatio ratio_of_batches(double mean, double error, std::size_t batches) {
  return {mean, student_quantile(0.975, static_cast<double>(batches) - 1) * error, 0};
}

ComparisonVerdict verdict_of(const Estimate& b_over_a, bool more_is_faster) {
  if (!b_over_a.low || !b_over_a.high) return ComparisonVerdict::undecided;
  if (*b_over_a.low > 1) return more_is_faster ? ComparisonVerdict::faster : ComparisonVerdict::slower;
  if (*b_over_a.high < 1) return more_is_faster ? ComparisonVerdict::slower : ComparisonVerdict::faster;
  const bool is_close = *b_over_a.low >= 1 / equivalence && *b_over_a.high <= equivalence;
  return is_close ? ComparisonVerdict::equivalent : ComparisonVerdict::undecided;
}

std::optional<std::uint32_t> more_pairs_needed(const LogRatio& ratio, std::size_t pairs) {
  constexpr std::size_t most_pairs = 10'000;
  const double margin = std::log(equivalence), mean = std::abs(ratio.mean);
  const double wanted = std::max(mean, margin - mean);
  for (std::size_t n = std::max(pairs + 1, least_pairs); n <= most_pairs; ++n) {
    const auto count = static_cast<double>(n);
    // Without a spread between pairs the half width shrinks with the root of what is measured.
    const double half_width =
        ratio.deviation > 0
            ? student_quantile(0.975, count - 1) * ratio.deviation / std::sqrt(count)
            : ratio.half_width * std::sqrt(static_cast<double>(std::max<std::size_t>(pairs, 1)) / count);
    if (half_width < wanted) return static_cast<std::uint32_t>(n - pairs);
  }
  return std::nullopt;
}

}  // namespace loadline
