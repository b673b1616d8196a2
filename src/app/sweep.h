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
std::vector<LevelResult> sweep(const RunSpec& spec, const RunSettings& settings, const Input& input,
                               LevelDriver& driver, RunDescription& description);

/// What the levels run so far tell of the next one: its rate, and how long a request takes.
struct Expectation {
  std::optional<double> requests_per_s;
  std::optional<Nanos> e2e;
};
/// The plan of level `ordinal`, longer than the level can need: its requests drawn, with their due times.
/// `workload` keeps what was drawn, for who asks how.
Plan plan_level(const RunSpec& spec, const Input& input, const Level& level, const LevelRules& rules,
                std::uint32_t ordinal, const Expectation& expected, Workload& workload);

}  // namespace loadline
