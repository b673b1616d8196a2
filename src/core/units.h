#pragma once
// Units are types: an instant, a span, an amount and a rate do not mix by accident. Plain numbers
// live only at the edges (options, JSON), with the unit last in the name.

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

/// An amount of one thing. Same-unit sums, scaling by plain numbers, and ratios are allowed.
template <class Tag, class Rep>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  constexpr Quantity& operator+=(Quantity other) { value_ += other.value_; return *this; }
  constexpr Quantity& operator-=(Quantity other) { value_ -= other.value_; return *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value_ + b.value_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value_ - b.value_); }
  friend constexpr Quantity operator*(Quantity a, Rep factor) { return Quantity(a.value_ * factor); }
  friend constexpr Quantity operator*(Rep factor, Quantity a) { return Quantity(a.value_ * factor); }
  friend constexpr Quantity operator/(Quantity a, Rep divisor) { return Quantity(a.value_ / divisor); }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

 private:
  Rep value_{};
};
template <class Tag, class Rep>
constexpr double ratio(Quantity<Tag, Rep> a, Quantity<Tag, Rep> b) {
  return static_cast<double>(a.value()) / static_cast<double>(b.value());
}

using Tokens = Quantity<struct TokensTag, std::int64_t>;
using TokensPerSecond = Quantity<struct TokensPerSecondTag, double>;
using RequestsPerSecond = Quantity<struct RequestsPerSecondTag, double>;
/// 1 GB = 1e9 bytes.
using Bytes = Quantity<struct BytesTag, double>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag, double>;
using Flops = Quantity<struct FlopsTag, double>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag, double>;

inline Seconds operator/(Bytes amount, BytesPerSecond bandwidth) { return Seconds(amount.value() / bandwidth.value()); }
inline Seconds operator/(Flops amount, FlopsPerSecond rate) { return Seconds(amount.value() / rate.value()); }
inline TokensPerSecond operator/(Tokens amount, Seconds span) {
  return TokensPerSecond(static_cast<double>(amount.value()) / span.count());
}

/// Latencies of requests that failed: slower than any limit.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace loadline
