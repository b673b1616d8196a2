#pragma once
// Which planned request is released when. The same for every runner of levels (load over HTTP, engine in virtual time),
// so that both release in one order. Pure: told the time, never asks for it.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "core/course.h"
#include "core/plan.h"

namespace loadline {

struct Release {
  std::uint32_t serial = 0;      ///< in order of release, from 0
  std::uint32_t plan_index = 0;  ///< in Plan::requests
  RunTime due{};
};

/// How many requests of the plan are released at most.
std::size_t requests_of(const Plan& plan);

/// Walks a plan once. Closed loop: a request is due when a user is free. Open loop: at its offset from the level's
/// start, however late we are when we come to it. A turn that waits for another (AfterTurn) is due its pause after that
/// one has ended; in a closed loop the user is bound to the conversation until its last turn has ended. Of all that is
/// due the earliest comes first, turns before what merely waits for a user; so due times never decrease from one
/// release to the next. O(log n) a request.
class Releases {
 public:
  /// `plan` outlives this. `users`: of a closed loop. Throws Bug where a turn waits for one that is not before it, or
  /// for which another waits already.
  Releases(const Plan& plan, std::size_t users);
  /// The level starts, before anything is taken: offsets count from here.
  void start(RunTime level_start);

  bool has_due(RunTime now) const { return has_turn_due(now) || has_opening_due(now); }
  /// The next request that is due at `now`, if there is one.
  std::optional<Release> take(RunTime now);
  /// A request has ended. Its user, if it has one, is free again or takes the turn after it, at once or not before
  /// `user_free_at`. Told in order of time.
  void ended(std::uint32_t plan_index, RunTime at, std::optional<RunTime> user_free_at = std::nullopt);

  /// Nothing is left, neither due nor waiting.
  bool exhausted() const { return released_ >= requests_of(*plan_); }
  std::uint32_t released() const { return released_; }
  /// When the next one is due, where that is known beforehand: at its offset, when its pause is over, or when a user
  /// that rests is free.
  std::optional<RunTime> next_due() const;
  /// The request that waits for `plan_index` to end, as an index of the plan.
  std::optional<std::uint32_t> turn_after(std::uint32_t plan_index) const;

 private:
  struct DueTurn {
    RunTime due{};
    std::uint32_t plan_index = 0;
    auto operator<=>(const DueTurn&) const = default;
  };

  bool has_turn_due(RunTime now) const;
  bool has_opening_due(RunTime now) const;
  bool has_user(std::uint32_t plan_index) const;
  /// When the next opening is due by itself; absent where it waits for a user.
  std::optional<RunTime> opening_due() const;
  Release hand_out(std::size_t plan_index, RunTime due);
  void wake_rested(RunTime now);

  const Plan* plan_;
  RunTime start_{};
  std::size_t opening_;  ///< the next request that waits for no other
  std::uint32_t released_ = 0;
  std::size_t free_users_;
  std::priority_queue<RunTime, std::vector<RunTime>, std::greater<>> resting_;  ///< when each user that rests is free
  std::vector<std::uint32_t> turn_after_;  ///< by plan index; empty where no request waits for another
  std::priority_queue<DueTurn, std::vector<DueTurn>, std::greater<>> turns_;  ///< whose turn before has ended
};

/// The first request of the plan from index `from` on that waits for no other; the plan's size where there is none.
std::size_t next_opening(const Plan& plan, std::size_t from);

/// Whether any request of the plan waits for another.
bool has_turns(const Plan& plan);

/// What is known of a request at the moment of its release: who it is, what was planned, when it was due.
void begin_record(const Release& release, const Plan& plan, const LevelCourse& course, RequestRecord& record);

/// The users of a closed level: its target, rounded to whole users; 0 for a request rate.
std::size_t users_of(const Level& level);

}  // namespace loadline
