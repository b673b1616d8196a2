#include "app/sweep.h"

#include "app/level_runner.h"

namespace loadline {
namespace {

bool nobody_was_answered(const LevelResult& level) {
  return level.books.planned > 0 && level.books.of(Outcome::ok) + level.books.of(Outcome::short_answer) == 0;
}

}  // namespace

SweepGoal goal_of(const RunSettings& settings, const RunDescription& description) {
  SweepGoal goal = settings.goal;
  goal.objectives = settings.rules.objectives;
  goal.listed = settings.levels;
  goal.workload_mean_completion = description.prescribed_mean_completion();
  return goal;
}

std::vector<LevelResult> sweep(const RunSpec& spec, const RunSettings& settings, const Input& input,
                               LevelDriver& driver, RunDescription& description) {
  std::vector<LevelResult> all;
  LevelRunner runner(spec, settings, input, driver, description);
  for (std::uint32_t pass = 0; pass < settings.repeats; ++pass) {
    SweepPlanner planner(goal_of(settings, description));
    std::vector<LevelResult> of_pass;
    while (std::optional<Level> level = planner.next(of_pass)) {
      if (driver.interrupted()) return all;
      level->pass = pass;
      if (level->kind == LevelKind::concurrency) level->ramp = settings.ramp;
      const auto ordinal = static_cast<std::uint32_t>(all.size());
      const std::optional<LevelResult> result = runner.run(*level, ordinal, expect(*level, all));
      if (!result) return all;
      all.push_back(*result);
      of_pass.push_back(*result);
      if (nobody_was_answered(*result)) return all;  // more levels would only hammer a target that is down
    }
    description.closed_end = planner.closed_end();
    description.open_end = planner.open_end();
  }
  return all;
}

}  // namespace loadline
