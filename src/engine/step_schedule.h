#pragma once
// When the steps of the served engine begin and end on the wall. Pure: it is told the time.
//
// Step k + 1 begins at the scheduled end of step k, so a late wake-up delays one delivery and nothing after
// it. Only when a step is delivered more than 50 ms late does the schedule slip, to begin anew from there, and it
// keeps account: those are times that the engine's parameters do not explain.

#include <chrono>
#include <cstdint>

#include "core/units.h"

namespace loadline {

using WallTime = std::chrono::steady_clock::time_point;

class StepSchedule {
 public:
  static constexpr Nanos most_lateness = std::chrono::milliseconds(50);

  /// A step begins after a pause: at `now`. `duration` is of the wall.
  void begin(WallTime now, Nanos duration) { end_ = now + duration; }
  /// A step begins right after the one that was delivered.
  void follow(Nanos duration) { end_ = next_ + duration; }
  WallTime end() const { return end_; }

  /// The step is delivered at `now`, at its end or later.
  void delivered(WallTime now) {
    const Nanos late = now - end_;
    next_ = end_;
    if (late > worst_) worst_ = late;
    if (late <= most_lateness) return;
    next_ = now;
    slipped_ += late;
    ++slips_;
  }

  Nanos slipped() const { return slipped_; }
  std::uint64_t slips() const { return slips_; }
  Nanos worst() const { return worst_; }

 private:
  WallTime end_{}, next_{};
  Nanos slipped_{}, worst_{};
  std::uint64_t slips_ = 0;
};

}  // namespace loadline
