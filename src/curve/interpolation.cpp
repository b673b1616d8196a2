#include "curve/interpolation.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

// Weighted by n_eff, in logarithms: all quantities of a point are positive.
CurvePoint taken_together(const CurvePoint& a, const CurvePoint& b) {
  const double all = a.n_eff + b.n_eff, share = b.n_eff / all;
  const auto between = [&](double x, double y) {
    return x <= 0 || y <= 0 ? std::max(x, y) : x * std::pow(y / x, share);
  };
  const double p99 =
      std::isinf(a.p99_ms) || std::isinf(b.p99_ms) ? std::max(a.p99_ms, b.p99_ms) : between(a.p99_ms, b.p99_ms);
  return {a.load, p99, all, between(a.requests_per_s, b.requests_per_s),
          between(a.output_tokens_per_s, b.output_tokens_per_s)};
}

std::vector<CurvePoint> one_per_load(std::vector<CurvePoint> points) {
  std::ranges::stable_sort(points, {}, &CurvePoint::load);
  std::vector<CurvePoint> merged;
  for (const CurvePoint& point : points) {
    if (!merged.empty() && merged.back().load == point.load)
      merged.back() = taken_together(merged.back(), point);
    else
      merged.push_back(point);
  }
  return merged;
}

}  // namespace

std::vector<double> pooled_log_p99(std::span<const CurvePoint> points) {
  struct Pool {
    double mean, weight;
    std::size_t count;
  };
  std::vector<Pool> pools;
  for (const CurvePoint& point : points) {
    pools.push_back({std::log(point.p99_ms), point.n_eff, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean > pools.back().mean) {
      const Pool last = pools.back();
      pools.pop_back();
      Pool& before = pools.back();
      const double weight = before.weight + last.weight;
      // From an infinite p99 on, everything is beyond any limit.
      if (!std::isinf(before.mean)) before.mean = (before.mean * before.weight + last.mean * last.weight) / weight;
      before.weight = weight;
      before.count += last.count;
    }
  }
  std::vector<double> values;
  for (const Pool& pool : pools) values.insert(values.end(), pool.count, pool.mean);
  return values;
}

std::optional<Interpolated> interpolate(std::vector<CurvePoint> points, double limit_ms) {
  const std::vector<CurvePoint> curve = one_per_load(std::move(points));
  const std::vector<double> y = pooled_log_p99(curve);
  const double wanted = std::log(limit_ms);
  for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
    if (y[i] > wanted || y[i + 1] <= wanted) continue;
    if (std::isinf(y[i + 1])) return std::nullopt;
    const double w = (wanted - y[i]) / (y[i + 1] - y[i]);
    const auto between = [&](double low, double high) {
      return low > 0 && high > 0 ? low * std::pow(high / low, w) : 0;
    };
    return Interpolated{between(curve[i].load, curve[i + 1].load),
                        between(curve[i].requests_per_s, curve[i + 1].requests_per_s),
                        between(curve[i].output_tokens_per_s, curve[i + 1].output_tokens_per_s)};
  }
  return std::nullopt;
}

}  // namespace loadline
