#pragma once
// Which planned request is released when. Pure: told the time, never asks for it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "core/plan.h"

namespace loadline {

struct Release {
  std::uint32_t serial = 0;
  RunTime due{};
};

/// Walks a plan once. Closed loop: a request is due when a user is free. Open loop: at its offset from the level's
/// start, however late we are when we come to it.
class Releases {
 public:
  /// `plan` outlives this.
  Releases(const Plan& plan, RunTime level_start);

  /// The next request that is due at `now`, if there is one.
  std::optional<Release> take(RunTime now);
  /// A request's user is free again, at once or not before `free_at`; told in order of time, and so are the `free_at`.
  void ended(std::uint32_t serial, std::optional<RunTime> free_at = std::nullopt);

  bool exhausted() const { return next_ >= plan_->requests.size(); }
  /// The serial that comes next, whenever that is.
  std::size_t next_serial() const { return next_; }
  /// When the next one is due, where that is known beforehand: at its offset, or when a user that rests is free.
  std::optional<RunTime> next_due() const;

 private:
  const AtOffset* next_offset() const;
  void wake_rested(RunTime now);

  const Plan* plan_;
  RunTime start_;
  std::size_t next_ = 0;
  std::size_t free_users_ = 0;
  std::deque<RunTime> resting_;  ///< when each user that rests is free, in order
};

/// The users of a closed level: its target, rounded to whole users; 0 for a request rate.
std::size_t users_of(const Level& level);

}  // namespace loadline
