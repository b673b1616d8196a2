#pragma once
// The 95% interval of a percentile of a dependent series. docs/method.md section 3.

#include <cstdint>
#include <optional>
#include <span>

#include "statistics/dependence.h"

namespace loadline {

/// The ranks (from 1) between which the percentile lies. Where the effective size is too small the upper does not
/// exist: fewer than ln 0.025 / ln p, which is 367.04 for p = 0.99.
struct RankInterval {
  std::uint64_t low = 1;
  std::optional<std::uint64_t> high;
};
/// Steps 4 and 5 for percentile `p` of `n` values that are worth `n_eff` independent ones. n > 0.
RankInterval rank_interval(double p, std::uint64_t n, double n_eff);

/// A percentile with its interval; +infinity where failures reach that far.
struct PercentileInterval {
  double value = 0;
  Dependence dependence;
  double n_eff = 0;
  RankInterval ranks;
  double low = 0;
  std::optional<double> high;
};
/// Percentile `p` of `series` in order of due, failures as +infinity. Not empty, no NaN.
PercentileInterval percentile_interval(std::span<const double> series, double p);

/// Whether both ends exist and neither lies further from the value than `precision` of it.
bool is_stable(const PercentileInterval& interval, double precision);

}  // namespace loadline
