#include "app/level_runner.h"

#include <algorithm>

#include "app/level_planned.h"
#include "curve/nearest_level.h"
#include "measure/measure.h"
#include "measure/standard_course.h"

namespace loadline {
namespace {

bool is_timed(const LevelResult& level) { return level.e2e_ms.mean.has_value(); }

}  // namespace

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

std::uint64_t TextsSeen::take(const std::vector<Request>& requests) {
  std::uint64_t repeated = 0;
  for (const Request& request : requests) repeated += rows_.insert(request.row).second ? 0 : 1;
  return repeated;
}

std::optional<LevelResult> LevelRunner::run(const Level& level, std::uint32_t ordinal, const Expectation& expected) {
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

void LevelRunner::describe(const Plan& plan, const LevelRecords& records, Workload& workload) {
  LevelPlanned& planned = description_.planned[records.ordinal];
  planned = planned_of(input_, plan, records, spec_.content == "log", workload);
  planned.cache_counted_rate = driver_.counted_hit_rate();
  if (spec_.content == "log") description_.repeated_texts += texts_seen_.take(workload.requests);
}

}  // namespace loadline
