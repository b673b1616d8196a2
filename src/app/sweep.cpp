#include "app/sweep.h"

#include <algorithm>
#include <unordered_set>

#include "app/level_planned.h"
#include "app/nearest_level.h"
#include "app/plan_level.h"
#include "measure/measure.h"
#include "measure/standard_course.h"

namespace loadline {
namespace {

bool is_timed(const LevelResult& level) { return level.e2e_ms.mean.has_value(); }

/// The nearest level of the same kind tells; before the first rate, the users who carried about as much.
Expectation expect(const Level& level, const std::vector<LevelResult>& results) {
  Expectation expected;
  const bool is_rate = level.kind == LevelKind::request_rate;
  const LevelResult* nearest = nearest_level(results, level.kind, level.target, is_timed);
  if (nearest == nullptr && is_rate) nearest = nearest_carrying(results, level.target, is_timed);
  if (nearest == nullptr) return expected;
  expected.requests_per_s =
      is_rate ? level.target : nearest->completed_requests_per_s * std::max(1.0, level.target / nearest->level.target);
  expected.e2e = nanos(Seconds(*nearest->e2e_ms.mean / 1e3));
  return expected;
}

bool nobody_was_answered(const LevelResult& level) {
  return level.books.planned > 0 && level.books.of(Outcome::ok) + level.books.of(Outcome::short_answer) == 0;
}

/// Texts of the log that the run has sent.
class TextsSeen {
 public:
  /// How many of `requests` were sent before.
  std::uint64_t take(const std::vector<Request>& requests) {
    std::uint64_t repeated = 0;
    for (const Request& request : requests) repeated += rows_.insert(request.row).second ? 0 : 1;
    return repeated;
  }

 private:
  std::unordered_set<std::uint64_t> rows_;
};

/// The levels of one run, one after the other.
class LevelRunner {
 public:
  LevelRunner(const RunSpec& spec, const RunSettings& settings, const Input& input, LevelDriver& driver,
              RunDescription& description)
      : spec_(spec), settings_(settings), input_(input), driver_(driver), description_(description) {}

  /// Absent when the run was interrupted: then the level does not count.
  std::optional<LevelResult> run(const Level& level, const std::vector<LevelResult>& results) {
    const auto ordinal = static_cast<std::uint32_t>(results.size());
    const Expectation expected = expect(level, results);
    LevelRules rules = rules_of(level, settings_.rules);
    rules.expected_e2e = expected.e2e;
    Workload workload;
    const Plan plan = plan_level(spec_, input_, level, rules, ordinal, expected, workload);
    description_.cut_prompts += workload.cut_prompts;
    description_.dropped_prompts += workload.dropped_prompts;
    description_.sampler = name(workload.sampler);

    for (Doubt& doubt : driver_.prepare(warming_of(workload, plan))) description_.doubts.push_back(std::move(doubt));
    if (driver_.interrupted()) return std::nullopt;
    StandardCourse course(plan.level, rules);
    LevelRecords records;
    records.level = plan.level;
    records.ordinal = ordinal;
    driver_.run(plan, course, records);
    describe(plan, records, workload);
    if (driver_.interrupted()) return std::nullopt;
    LevelResult result = measure(records, settings_.rules, settings_.goodput_limits, spec_.engine_speed,
                                 description_.calibration ? &*description_.calibration : nullptr);
    driver_.measured(result);
    return result;
  }

 private:
  void describe(const Plan& plan, const LevelRecords& records, Workload& workload) {
    LevelPlanned& planned = description_.planned[records.ordinal];
    planned = planned_of(input_, plan, records, spec_.content == "log", workload);
    planned.cache_counted_rate = driver_.counted_hit_rate();
    if (spec_.content == "log") description_.repeated_texts += texts_seen_.take(workload.requests);
  }

  const RunSpec& spec_;
  const RunSettings& settings_;
  const Input& input_;
  LevelDriver& driver_;
  RunDescription& description_;
  TextsSeen texts_seen_;
};

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
      const std::optional<LevelResult> result = runner.run(*level, all);
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
