#pragma once
// The drawn curve's crossing: p99 made non-decreasing in load, interpolated in logarithms. docs/method.md section 4.

#include <optional>
#include <span>
#include <vector>

#include "core/curve.h"

namespace loadline {

/// One level of the drawn curve. `p99_ms` infinite where the level has none (saturated, too many failures).
struct CurvePoint {
  double load = 0, p99_ms = 0, n_eff = 1;
  double requests_per_s = 0, output_tokens_per_s = 0;
};

/// ln p99 with every fall levelled out: neighbours that fall are replaced by their mean, weighted by n_eff (pool
/// adjacent violators). Points sorted by load.
std::vector<double> pooled_log_p99(std::span<const CurvePoint> points);

/// The crossing of `limit_ms` between two levels, in any order; levels of equal load are taken together by n_eff.
/// Absent where no level is within the limit, or the next above it has no finite p99.
std::optional<Interpolated> interpolate(std::vector<CurvePoint> points, double limit_ms);

}  // namespace loadline
