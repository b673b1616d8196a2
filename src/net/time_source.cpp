// The kernel stamps received bytes by CLOCK_REALTIME, which can be set at any moment; the run lives on
// CLOCK_MONOTONIC, which cannot. Their difference is read as realtime between two monotonic reads; of 50
// such sandwiches the narrowest is the least disturbed, and its middle is right to half its width (some
// 20 ns). Both clocks are slewed alike, so the difference only changes when somebody sets the clock: a
// change beyond a millisecond is a step, and is kept as a flag.
#include "net/time_source.h"

#include <time.h>

#include <limits>

#include "core/error.h"

namespace loadline {
namespace {

constexpr Nanos offset_lifetime = std::chrono::milliseconds(200);
constexpr Nanos smallest_step = std::chrono::milliseconds(1);
constexpr int sandwiches = 50;

Nanos read_clock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return std::chrono::seconds(t.tv_sec) + Nanos(t.tv_nsec);
}

Nanos realtime_minus_monotonic() {
  Nanos narrowest = Nanos::max();
  Nanos best{};
  for (int i = 0; i < sandwiches; ++i) {
    const Nanos before = read_clock(CLOCK_MONOTONIC);
    const Nanos real = read_clock(CLOCK_REALTIME);
    const Nanos after = read_clock(CLOCK_MONOTONIC);
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    best = real - (before + (after - before) / 2);
  }
  return best;
}

Nanos scaled(Nanos span, double factor) {
  if (factor == 1.0) return span;  // exact, and the common case
  const double nanoseconds = static_cast<double>(span.count()) * factor;
  if (nanoseconds >= 9.2e18) return Nanos::max();
  return Nanos(static_cast<std::int64_t>(nanoseconds));
}

}  // namespace

Nanos run_span(const TimeSource& time, Nanos wall_span) {
  const double wall_per_run = seconds(time.wall(std::chrono::seconds(1)));
  return nanos(Seconds(seconds(wall_span) / wall_per_run));
}

SystemTime::SystemTime(double speed) : SystemTime(speed, monotonic_now()) {}

SystemTime::SystemTime(double speed, Nanos monotonic_start) : speed_(speed), start_(monotonic_start) {
  if (!(speed > 0)) throw Error("the engine speed must be above 0");
  offset_ = realtime_minus_monotonic();
  tracked_at_ = monotonic_now();
}

Nanos SystemTime::monotonic_now() { return read_clock(CLOCK_MONOTONIC); }

RunTime SystemTime::at_monotonic(Nanos monotonic) const { return RunTime(scaled(monotonic - start_, speed_)); }

RunTime SystemTime::now() { return at_monotonic(monotonic_now()); }

Nanos SystemTime::wall(Nanos engine_span) const { return scaled(engine_span, 1.0 / speed_); }

void SystemTime::track_offset(Nanos monotonic) {
  const Nanos fresh = realtime_minus_monotonic();
  const Nanos change = fresh > offset_ ? fresh - offset_ : offset_ - fresh;
  if (change > smallest_step) stepped_ = true;
  offset_ = fresh;
  tracked_at_ = monotonic;
}

RunTime SystemTime::from_realtime(Nanos since_epoch) {
  // The stamp itself tells the time well enough: no clock is read for it. One far from the last look at the clocks, on
  // either side, is a reason for another: much time has passed, or somebody set the clock.
  const Nanos since_tracked = since_epoch - offset_ - tracked_at_;
  if (since_tracked > offset_lifetime || since_tracked < -offset_lifetime) track_offset(monotonic_now());
  return at_monotonic(since_epoch - offset_);
}

}  // namespace loadline
