#pragma once
// What the user wrote, checked and typed: everything that decides a sweep.

#include <optional>
#include <string>
#include <vector>

#include "app/run_spec.h"
#include "core/level.h"
#include "curve/sweep_planner.h"

namespace loadline {

struct RunSettings {
  std::vector<Level> levels;  ///< the user's own list; empty: the ladder of docs/method.md
  LevelRules rules;           ///< with the objectives
  GoodputLimits goodput_limits;
  std::string decision, primary_metric;
  SweepGoal goal;  ///< its levels, objectives and lengths are filled in by `sweep`
  std::uint32_t repeats = 1;
  Nanos ramp{};  ///< of closed levels
};

/// Throws Error for values that cannot be used or contradict each other.
RunSettings settle(const RunSpec& spec);

/// Levels of trace arrivals: their rate from their scale, or their scale from their rate. `log_rate_per_s`: the log's
/// own mean rate; absent without times, which is an Error where a level needs it.
void take_rates_from_log(RunSettings& settings, std::optional<double> log_rate_per_s);

}  // namespace loadline
