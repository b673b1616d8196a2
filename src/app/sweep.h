#pragma once
// The sweep: the page that shows what the program does. Level after level until the curve is drawn.

#include <vector>

#include "app/description.h"
#include "app/input.h"
#include "app/level_driver.h"
#include "app/run_spec.h"
#include "app/settings.h"
#include "core/level_result.h"

namespace loadline {

/// Runs the levels of `settings` (or the ladder's) in order and measures each. Interrupted: the levels complete
/// until then. What each plan promised goes to `description.planned`, doubts of the preparation to the level.
std::vector<LevelResult> sweep(const RunSpec& spec, const RunSettings& settings, const Input& input, LevelDriver& driver,
                               RunDescription& description);

}  // namespace loadline
