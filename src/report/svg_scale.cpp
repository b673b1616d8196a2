#include "report/svg_scale.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.h"

namespace loadline {
namespace {

std::vector<double> linear_ticks(double low, double high, int wanted) {
  const double rough = (high - low) / std::max(1, wanted);
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * decade >= rough * 0.75) {
      step = factor * decade;
      break;
    }
  }
  std::vector<double> ticks;
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-9));
  for (auto i = static_cast<double>(first); i * step <= high * (1 + 1e-12) + step * 1e-9; i += 1)
    ticks.push_back(i * step);
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, const std::vector<double>& factors, int every) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  for (int power = first; power <= last; ++power) {
    if ((power - first) % every != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, power);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push_back(value);
    }
  }
  return ticks;
}

}  // namespace

AxisScale::AxisScale(ScaleKind kind, double low, double high, double from, double to)
    : kind_(kind), low_(low), high_(high), from_(from), to_(to) {
  check(std::isfinite(low) && std::isfinite(high) && low <= high, "an axis has a finite domain");
  check(kind == ScaleKind::linear || low > 0, "a logarithmic axis begins above 0");
  if (high_ > low_) return;
  if (kind_ == ScaleKind::logarithmic) {
    low_ /= 1.5;
    high_ *= 1.5;
  } else {
    high_ = low_ + std::max(1.0, std::abs(low_));
  }
}

double AxisScale::at(double value) const {
  const double share = kind_ == ScaleKind::linear
                           ? (value - low_) / (high_ - low_)
                           : (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
  return from_ + share * (to_ - from_);
}

std::vector<double> axis_ticks(const AxisScale& scale, int wanted) {
  if (scale.kind() == ScaleKind::linear) return linear_ticks(scale.low(), scale.high(), wanted);
  const std::vector<double> finest = logarithmic_ticks(scale.low(), scale.high(), {1, 2, 3, 5, 7}, 1);
  if (static_cast<int>(finest.size()) <= wanted && finest.size() >= 2) return finest;
  const std::vector<double> fine = logarithmic_ticks(scale.low(), scale.high(), {1, 2, 5}, 1);
  if (static_cast<int>(fine.size()) <= 2 * wanted && fine.size() >= 2) return fine;
  if (fine.size() < 2) return linear_ticks(scale.low(), scale.high(), wanted);
  const auto decades = static_cast<int>(std::ceil(std::log10(scale.high() / scale.low())));
  return logarithmic_ticks(scale.low(), scale.high(), {1}, std::max(1, decades / std::max(1, wanted)));
}

}  // namespace loadline
