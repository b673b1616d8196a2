#pragma once
// From values to places on the page, and the round values that an axis names.

#include <string>
#include <vector>

namespace loadline {

enum class ScaleKind { linear, logarithmic };

/// Maps [low, high] onto [from, to] (pixels; `from` may be the larger, as on a y axis). A logarithmic
/// scale needs low > 0. A domain of no width is widened, so that a single value lies inside.
class AxisScale {
 public:
  AxisScale(ScaleKind kind, double low, double high, double from, double to);
  /// The place of `value`; outside the domain it is outside [from, to] as well.
  double at(double value) const;
  bool contains(double value) const { return value >= low_ && value <= high_; }
  double low() const { return low_; }
  double high() const { return high_; }
  ScaleKind kind() const { return kind_; }

 private:
  ScaleKind kind_;
  double low_, high_, from_, to_;
};

/// Values inside the domain that deserve a name, ascending: about `wanted` of them, of 1, 2, 5 times a
/// power of ten (linear: an even step; logarithmic: 1-2-5, or decades where those are many).
std::vector<double> axis_ticks(const AxisScale& scale, int wanted);

}  // namespace loadline
