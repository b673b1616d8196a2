#pragma once
// Types for instants, spans and token counts, so that they do not mix by accident. A plain number has its unit at
// the end of its name.

#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

namespace loadline {

using Nanos = std::chrono::nanoseconds;
using Seconds = std::chrono::duration<double>;

/// The one clock of a run: nanoseconds after the run's start, in engine time (wall time unless the
/// embedded engine runs faster than the wall; see TimeSource in net/).
struct RunClock {
  using duration = Nanos;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<RunClock, Nanos>;
  static constexpr bool is_steady = true;
};
/// An instant of the run. Absent instants are std::optional<RunTime>, never zero.
using RunTime = RunClock::time_point;

inline constexpr RunTime run_start{};
inline double seconds(Nanos span) { return std::chrono::duration<double>(span).count(); }
inline double milliseconds(Nanos span) { return std::chrono::duration<double, std::milli>(span).count(); }
inline Nanos nanos(Seconds span) { return Nanos(static_cast<std::int64_t>(std::llround(span.count() * 1e9))); }
inline std::int64_t nanos_since_start(RunTime t) { return t.time_since_epoch().count(); }
inline RunTime run_time(std::int64_t nanoseconds_since_start) { return RunTime(Nanos(nanoseconds_since_start)); }

/// An amount of one thing: sums of the same unit and scaling by plain numbers are allowed.
template <class Tag, class Rep>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator*(Quantity a, Rep factor) { return Quantity(a.value_ * factor); }
  friend constexpr Quantity operator*(Rep factor, Quantity a) { return Quantity(a.value_ * factor); }
  friend constexpr Quantity operator/(Quantity a, Rep divisor) { return Quantity(a.value_ / divisor); }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

 private:
  Rep value_{};
};

using Tokens = Quantity<struct TokensTag, std::int64_t>;

/// Latencies of requests that failed: slower than any limit.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace loadline
