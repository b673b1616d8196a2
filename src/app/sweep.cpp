#include "app/sweep.h"

#include <cmath>

#include "app/nearest_level.h"
#include "curve/ladder.h"
#include "measure/measure.h"
#include "measure/standard_course.h"
#include "plan/make_plan.h"
#include "plan/requests_to_draw.h"
#include "workload/sharing.h"

namespace loadline {
namespace {

Expectation expect(const Level& level, const std::vector<LevelResult>& results) {
  Expectation expected;
  const LevelResult* nearest = nearest_level(results, level.kind, level.target,
                                             [](const LevelResult& result) { return result.e2e_ms.mean.has_value(); });
  if (nearest == nullptr) return expected;
  expected.requests_per_s =
      level.kind == LevelKind::request_rate
          ? level.target
          : nearest->completed_requests_per_s * std::max(1.0, level.target / nearest->level.target);
  expected.e2e = nanos(Seconds(*nearest->e2e_ms.mean / 1e3));
  return expected;
}

std::optional<Level> choose_level(const RunSettings& settings, const std::vector<LevelResult>& results) {
  if (!settings.levels.empty()) {
    if (results.size() >= settings.levels.size()) return std::nullopt;
    return settings.levels[results.size()];
  }
  LadderSettings ladder;
  ladder.objectives = settings.rules.objectives;
  ladder.most_users = settings.max_users;
  const std::optional<double> users = next_level(results, ladder);
  if (!users) return std::nullopt;
  return Level{LevelKind::concurrency, *users, Arrivals::closed};
}

bool nobody_was_answered(const LevelResult& level) {
  return level.books.planned > 0 && level.books.of(Outcome::ok) + level.books.of(Outcome::short_answer) == 0;
}

/// What the released prompts share by plan, in the order in which they were sent.
LevelPlanned planned_of(const Plan& plan, const LevelRecords& records) {
  UnboundedCache cache(plan.blocks, plan.block_size);
  for (const RequestRecord& record : records.requests) cache.take(plan.requests[record.plan_index].request.prompt);
  LevelPlanned planned;
  planned.cache_target_rate = cache.token_hit_rate();
  return planned;
}

}  // namespace

Plan plan_level(const RunSpec& spec, const Input& input, const Level& level, const LevelRules& rules,
                std::uint32_t ordinal, const Expectation& expected, Workload& workload) {
  PlanSettings plan_settings{level, ordinal, spec.seed};
  if (level.kind == LevelKind::request_rate && expected.e2e) {
    // Start with the expected number in flight, so that the queue need not grow from empty.
    plan_settings.initial_in_flight = static_cast<std::size_t>(std::llround(level.target * seconds(*expected.e2e)));
  }
  const std::size_t count = requests_to_draw(level, rules, expected.requests_per_s, plan_settings.initial_in_flight);
  workload = draw_requests(input, spec, ordinal, count);
  return make_plan(workload, plan_settings);
}

std::vector<LevelResult> sweep(const RunSpec& spec, const RunSettings& settings, const Input& input,
                               LevelDriver& driver, RunDescription& description) {
  std::vector<LevelResult> results;
  while (const std::optional<Level> level = choose_level(settings, results)) {
    if (driver.interrupted()) break;
    const auto ordinal = static_cast<std::uint32_t>(results.size());
    const Expectation expected = expect(*level, results);
    LevelRules rules = settings.rules;
    rules.expected_e2e = expected.e2e;
    Workload workload;
    const Plan plan = plan_level(spec, input, *level, rules, ordinal, expected, workload);
    description.cut_prompts += workload.cut_prompts;

    for (Doubt& doubt : driver.prepare(plan)) description.doubts.push_back(std::move(doubt));
    StandardCourse course(*level, rules);
    LevelRecords records;
    records.level = *level;
    records.ordinal = ordinal;
    driver.run(plan, course, records);
    description.planned[ordinal] = planned_of(plan, records);
    description.planned[ordinal].cache_counted_rate = driver.counted_hit_rate();
    if (driver.interrupted()) break;

    LevelResult result = measure(records, rules, settings.goodput_limits, spec.engine_speed);
    driver.measured(result);
    const bool dead = nobody_was_answered(result);
    results.push_back(std::move(result));
    if (dead) break;  // more levels would only hammer a target that is down
  }
  return results;
}

}  // namespace loadline
