#pragma once
// The course of a running level: the one seam between who runs it (load over HTTP, engine in virtual
// time) and the rules of the method (measure). The runner tells what happened, the course says what to do.

#include <cstdint>
#include <optional>

#include "core/record.h"

namespace loadline {

enum class Phase : std::uint8_t {
  warming_up,
  measuring,     ///< requests released now are in R
  cooling_down,  ///< the window is closed; others go on arriving while the last of R are answered
  draining,      ///< nothing new is released; wait for what is in flight
  finished,      ///< cancel what is still in flight (censored) and return
};

/// Implemented by measure/; called by one thread, in order of time. The runner keeps `records.requests`
/// sized to the plan and fills each record before it tells of it.
class LevelCourse {
 public:
  virtual ~LevelCourse() = default;
  /// The level starts now. `records` outlives the course.
  virtual void start(const LevelRecords& records, RunTime now) = 0;
  /// Request `serial` was released (sent, or due and not sendable) at `now`.
  virtual void released(std::uint32_t serial, RunTime now) = 0;
  /// Request `serial` has its first output token.
  virtual void first_token(std::uint32_t serial, RunTime now) = 0;
  /// Request `serial` has ended, its record is complete.
  virtual void ended(std::uint32_t serial, RunTime now) = 0;
  /// The phase at `now`. Asked after every batch of events, before every release, and at `wake_at`.
  virtual Phase phase(RunTime now) = 0;
  /// The next instant at which the phase may change by time alone.
  virtual std::optional<RunTime> wake_at() const = 0;
  /// The window, known once it is open and once it is closed.
  virtual std::optional<RunTime> window_start() const = 0;
  virtual std::optional<RunTime> window_end() const = 0;
};

/// Whether what is due at `due` belongs to the warm-up (RequestRecord::warmup): due before the window opened, as far as
/// `course` knows at the release.
inline bool is_before_window(const LevelCourse& course, RunTime due) {
  const std::optional<RunTime> start = course.window_start();
  return !start || due < *start;
}

}  // namespace loadline
