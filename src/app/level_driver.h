#pragma once
// Who runs a level: HTTP against a target, or the engine model in virtual time. The sweep does not care.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/course.h"
#include "core/doubt.h"
#include "core/level_result.h"
#include "core/plan.h"

namespace loadline {

class LevelDriver {
 public:
  virtual ~LevelDriver() = default;
  /// Brings the target into the stated cache state before the level; doubts where it cannot. `warming`: what is sent
  /// first, to fill the cache; empty where it is not to be filled.
  virtual std::vector<Doubt> prepare(const Plan& warming) = 0;
  /// Runs the level to its end. `records` is filled in order of release.
  virtual void run(const Plan& plan, LevelCourse& course, LevelRecords& records) = 0;
  /// Prefix cache hit rate of the last level by the target's own counters, warm-up and cool-down included; absent where
  /// it does not tell.
  virtual std::optional<double> counted_hit_rate() const = 0;
  /// The level is measured: for who shows or stores it.
  virtual void measured(const LevelResult& result) = 0;
  /// The user asked to stop: the sweep ends and keeps what is complete.
  virtual bool interrupted() const = 0;
};

}  // namespace loadline
