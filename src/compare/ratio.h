#pragma once
// The statistics of a comparison: ratios with intervals, what they allow to say, and what more would take. All in
// logarithms, so that A over B and B over A say the same. docs/method.md section 9.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/comparison.h"
#include "core/estimate.h"

namespace loadline {

/// Fewer pairs than these say nothing of their own spread.
inline constexpr std::size_t least_pairs = 4;
/// Two systems this close are as good as one another: 3%.
inline constexpr double equivalence = 1.03;

/// B over A with its 95% interval, and the spread behind it.
struct LogRatio {
  double mean = 0;        ///< ln(B/A)
  double half_width = 0;  ///< of the 95% interval
  double deviation = 0;   ///< of one pair, where pairs were repeated; else 0
  Estimate ratio() const;
};

/// exp(mean of ln b - ln a) with Student's interval over the pairs. Absent for fewer than `least_pairs`. Values > 0.
std::optional<LogRatio> ratio_of_pairs(std::span<const std::pair<double, double>> pairs);

/// `statistic` of drawn batches (indices below `batches`, with repetition): ln(B/A), absent where the draw has none.
using BatchStatistic = std::function<std::optional<double>(std::span<const std::size_t> drawn)>;
/// How far `statistic` scatters when the batches are drawn again `resamples` times (seeded), the same on both sides:
/// its standard error, times sqrt(k / (k - 1)) for the few batches. Absent for fewer than 5 batches, or where a
/// twentieth of the draws has no value.
std::optional<double> bootstrap_error(std::size_t batches, const BatchStatistic& statistic, std::uint64_t seed,
                                      std::uint32_t resamples);
/// `mean` with the 95% interval that Student's distribution of `batches` - 1 degrees makes of the error.
LogRatio ratio_of_batches(double mean, double error, std::size_t batches);

/// Of B: faster or slower only where the interval excludes 1, equivalent only where it lies inside
/// [1 / equivalence, equivalence].
ComparisonVerdict verdict_of(const Estimate& b_over_a, bool more_is_faster);

/// About how many more pairs would decide an undecided ratio, if mean and spread stay as they are: until the interval
/// excludes 1 or lies inside the equivalence. Absent beyond 10,000.
std::optional<std::uint32_t> more_pairs_needed(const LogRatio& ratio, std::size_t pairs);

}  // namespace loadline
