#pragma once
// The sweep: the page that shows what the program does. Level after level until the answer is known.

#include <vector>

#include "app/description.h"
#include "app/input.h"
#include "app/level_driver.h"
#include "app/run_spec.h"
#include "app/settings.h"
#include "core/level_result.h"

namespace loadline {

/// What the sweep of `settings` is to find: its levels, objectives and lengths filled in.
SweepGoal goal_of(const RunSettings& settings, const RunDescription& description);

/// Runs the levels of `settings`, or those that its goal chooses, in order and measures each; as often as
/// `settings.repeats` says. Interrupted: the levels complete until then. What each plan promised and why the sweep
/// ended goes to `description`, doubts of the preparation to its doubts.
std::vector<LevelResult> sweep(const RunSpec& spec, const RunSettings& settings, const Input& input,
                               LevelDriver& driver, RunDescription& description);

}  // namespace loadline
