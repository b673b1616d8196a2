#pragma once
// The clock of a run. Three clocks meet here: the run's own (RunTime, engine time), the wall's monotonic
// one, by which we sleep, and the kernel's CLOCK_REALTIME, by which it stamps received bytes. Only this
// file converts between them.

#include <cstdint>

#include "core/units.h"

namespace loadline {

/// The run's clock. One thread unless said otherwise.
class TimeSource {
 public:
  virtual ~TimeSource() = default;
  /// Never goes back. Safe from any thread.
  virtual RunTime now() = 0;
  /// How long `engine_span` lasts on the wall: what to sleep, what to give a poller. Safe from any thread.
  virtual Nanos wall(Nanos engine_span) const = 0;
  /// The instant of a kernel receive stamp (CLOCK_REALTIME, nanoseconds since 1970). May lie a little after
  /// `now()` by the error of the conversion (some 100 ns): the caller clamps it.
  virtual RunTime from_realtime(Nanos since_epoch) = 0;
  /// Someone set the machine's clock since the start: stamps around that moment are not to be trusted.
  virtual bool clock_stepped() const = 0;
};

/// How long a wall span is in run time.
Nanos run_span(const TimeSource& time, Nanos wall_span);

/// RunTime = (CLOCK_MONOTONIC - start) * speed. Speed 1 for every real target; the embedded engine and its
/// client share a faster one. Several threads share one run's clock by an object each, all with the same start:
/// `from_realtime` is for one thread.
class SystemTime final : public TimeSource {
 public:
  /// The run starts now. `speed` = engine time / wall time, > 0.
  explicit SystemTime(double speed = 1.0);
  /// The run starts, or started, when CLOCK_MONOTONIC reads `monotonic_start`; before it `now()` is below 0.
  SystemTime(double speed, Nanos monotonic_start);

  /// CLOCK_MONOTONIC now, from which a common start is reckoned.
  static Nanos monotonic_now();
  /// CLOCK_MONOTONIC at the run's start.
  Nanos monotonic_start() const { return start_; }

  RunTime now() override;
  Nanos wall(Nanos engine_span) const override;
  RunTime from_realtime(Nanos since_epoch) override;
  bool clock_stepped() const override { return stepped_; }

 private:
  RunTime at_monotonic(Nanos monotonic) const;
  void track_offset(Nanos monotonic);

  double speed_;
  Nanos start_;
  Nanos offset_{};      ///< CLOCK_REALTIME - CLOCK_MONOTONIC, the best of some sandwiched reads
  Nanos tracked_at_{};  ///< when offset_ was last read, CLOCK_MONOTONIC
  bool stepped_ = false;
};

/// A clock that only moves when told to: tests of schedules and deadlines. Its realtime equals its run time.
class SimulatedTime final : public TimeSource {
 public:
  RunTime now() override { return now_; }
  Nanos wall(Nanos engine_span) const override { return engine_span; }
  RunTime from_realtime(Nanos since_epoch) override { return RunTime(since_epoch); }
  bool clock_stepped() const override { return false; }
  void advance(Nanos span) { now_ += span; }
  void set(RunTime instant) { now_ = instant; }

 private:
  RunTime now_{};
};

}  // namespace loadline
