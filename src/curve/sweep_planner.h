#pragma once
// Which level to run next, from the first to the last of a sweep or a search: the levels a user listed, or the curve
// (ladder.h) or a search's ramp; the same loads backwards where asked; visits until the capacity is known; then the
// open-loop capacity. docs/method.md section 4. Decided by the results alone; knows nothing of how a level is run.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/curve.h"
#include "core/level.h"
#include "core/level_result.h"
#include "curve/visits.h"

namespace loadline {

/// What a sweep is to find, and what it may cost.
struct SweepGoal {
  std::vector<Objective> objectives;  ///< empty: the curve alone
  std::vector<Level> listed;          ///< the user's own levels, in order; empty: the sweep chooses
  bool search = false;                ///< the capacity alone: a ramp in place of the curve
  bool refine = true;                 ///< visits after the curve (never after listed levels)
  bool open = false;                  ///< then the capacity of Poisson arrivals
  bool up_and_down = false;           ///< the curve's loads again, downwards
  double most_users = 1024;
  double precision = 0.05;                              ///< of the closed capacity; twice that of the open one
  double closed_budget_s = 7200, open_budget_s = 7200;  ///< engine time
  /// The user said how many requests, or how long, every level measures: visits too.
  bool extent_is_prescribed = false;
  std::optional<double> workload_mean_completion;  ///< as in make_curve
};

class SweepPlanner {
 public:
  explicit SweepPlanner(SweepGoal goal) : goal_(std::move(goal)) {}

  /// The level to run after `results` (of this sweep, in the order in which they were run); absent when it is complete.
  /// Call it with one more result each time.
  std::optional<Level> next(const std::vector<LevelResult>& results);

  /// Why the closed and the open part ended; absent while they go on or where there is none.
  std::optional<SweepEnd> closed_end() const { return closed_end_; }
  std::optional<SweepEnd> open_end() const { return open_end_; }

 private:
  bool curve_is_paid_up(const std::vector<LevelResult>& results) const;
  std::optional<Level> next_closed(const std::vector<LevelResult>& results);
  std::optional<Level> next_of_curve(const std::vector<LevelResult>& results) const;
  std::optional<Level> next_backward(const std::vector<LevelResult>& results) const;
  std::optional<Level> next_open(const std::vector<LevelResult>& results);
  std::optional<Level> next_visit(const std::vector<LevelResult>& results, const VisitRules& rules, double budget_s,
                                  std::optional<SweepEnd>& end);
  Level sized(Level level, std::uint32_t requests) const;

  SweepGoal goal_;
  std::optional<SweepEnd> closed_end_, open_end_;
  std::optional<double> open_start_;
  std::map<std::size_t, bool> was_close_;  // by number of results: whether the capacity was close enough
};

}  // namespace loadline
