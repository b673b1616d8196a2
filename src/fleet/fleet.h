#pragma once
// Runs levels on many threads: a share of the plan each, one conductor. It knows neither HTTP nor statistics.

#include <atomic>
#include <memory>
#include <vector>

#include "core/course.h"
#include "core/plan.h"
#include "core/record.h"
#include "fleet/share_thread.h"

namespace loadline {

class Fleet {
 public:
  /// `threads` I/O threads, at least one; a level takes no more of them than it has users. `time` is the conductor's
  /// own clock, of the same start as those that `maker` makes; it outlives the fleet.
  Fleet(ClientMaker maker, std::size_t threads, TimeSource& time);

  /// Runs one level and blocks until the course says finished, the plan is used up and answered, or `interrupted` is
  /// set. Like Client::run_level, but for these: the course is told some milliseconds late, and requests that were
  /// released in these milliseconds after its end are in the records too, cancelled. The calling thread conducts.
  void run_level(const Plan& plan, LevelCourse& course, LevelRecords& records, const std::atomic<bool>& interrupted);

  /// Someone set the machine's clock since the start, as any of the threads saw it.
  bool clock_stepped() const;
  std::size_t threads() const { return threads_.size(); }

 private:
  ClientMaker maker_;
  TimeSource& time_;
  std::vector<std::unique_ptr<ShareThread>> threads_;
};

}  // namespace loadline
