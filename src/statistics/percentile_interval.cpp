#include "statistics/percentile_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "statistics/distributions.h"
#include "statistics/percentile.h"

namespace loadline {

RankInterval rank_interval(double p, std::uint64_t n, double n_eff) {
  check(p > 0 && p < 1 && n > 0 && n_eff > 0, "an interval needs values and a percentile in (0, 1)");
  const auto size = static_cast<double>(n);
  RankInterval ranks;
  const double low = beta_quantile(0.025, p * n_eff, (1 - p) * n_eff + 1);
  ranks.low = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::floor(low * size)));
  if (n_eff < std::log(0.025) / std::log(p)) return ranks;
  const double high = beta_quantile(0.975, p * n_eff + 1, (1 - p) * n_eff);
  ranks.high = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(high * size)), 1, n);
  return ranks;
}

PercentileInterval percentile_interval(std::span<const double> series, double p) {
  PercentileInterval result;
  std::vector<double> values(series.begin(), series.end());
  result.value = percentile(values, p);
  std::vector<std::uint8_t> exceeds(series.size());
  std::ranges::transform(series, exceeds.begin(),
                         [&](double x) { return static_cast<std::uint8_t>(x > result.value); });
  result.dependence = dependence(exceeds);
  result.n_eff = result.dependence.effective(static_cast<double>(series.size()));
  result.ranks = rank_interval(p, series.size(), result.n_eff);
  const std::array<std::uint64_t, 2> ranks = {result.ranks.low, result.ranks.high.value_or(series.size())};
  const std::vector<double> ends = values_at_ranks(std::move(values), ranks);
  result.low = ends[0];
  if (result.ranks.high) result.high = ends[1];
  return result;
}

bool is_stable(const PercentileInterval& interval, double precision) {
  if (!interval.high || !std::isfinite(*interval.high)) return false;
  const double longer = std::max(interval.value - interval.low, *interval.high - interval.value);
  return longer <= precision * interval.value;
}

}  // namespace loadline
