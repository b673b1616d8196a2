#include "app/sweep.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "app/nearest_level.h"
#include "core/releases.h"
#include "curve/ladder.h"
#include "measure/measure.h"
#include "measure/standard_course.h"
#include "plan/make_plan.h"
#include "plan/requests_to_draw.h"
#include "workload/sample_distance.h"
#include "workload/sharing.h"

namespace loadline {
namespace {

constexpr double warming_users = 16;
constexpr double conversations_ready = 4;

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
  Level level{LevelKind::concurrency, *users, Arrivals::closed};
  level.ramp = settings.ramp;
  return level;
}

bool nobody_was_answered(const LevelResult& level) {
  return level.books.planned > 0 && level.books.of(Outcome::ok) + level.books.of(Outcome::short_answer) == 0;
}

/// Hit and asked tokens.
struct HitSum {
  std::int64_t hit = 0, asked = 0;
  void add(Tokens hit_tokens, Tokens asked_tokens) {
    hit += hit_tokens.value();
    asked += asked_tokens.value();
  }
  std::optional<double> rate() const {
    if (asked == 0) return std::nullopt;
    return static_cast<double>(hit) / static_cast<double>(asked);
  }
};

/// What a cache that forgets nothing would find of the prompts, in the order in which they were sent.
void set_cache_targets(const Plan& plan, const LevelRecords& records, const std::vector<Request>& history,
                       LevelPlanned& planned) {
  UnboundedCache cache(plan.blocks, plan.block_size);
  for (const Request& request : history) cache.remember(request.prompt);
  HitSum whole, window;
  for (const RequestRecord& record : records.requests) {
    const Prompt& prompt = plan.requests[record.plan_index].request.prompt;
    const Tokens hit = cache.take(prompt);
    whole.add(hit, prompt.length);
    const bool inside = record.due && records.window_start && *record.due >= *records.window_start &&
                        (!records.window_end || *record.due < *records.window_end);
    if (inside) window.add(hit, prompt.length);
  }
  planned.cache_target_rate_whole = whole.rate();
  planned.cache_target_rate = records.window_start ? window.rate() : whole.rate();
}

/// What the released prompts share by plan, in the order in which they were sent and with what was sent before them,
/// and how far they are from the log. `workload` is made that of the released requests.
LevelPlanned planned_of(const Input& input, const Plan& plan, const LevelRecords& records, Workload& workload) {
  std::vector<std::uint32_t> released;
  for (const RequestRecord& record : records.requests) released.push_back(record.plan_index);
  LevelPlanned planned;
  planned.released = released.size();
  set_cache_targets(plan, records, workload.history, planned);
  workload.requests.clear();
  for (const std::uint32_t index : released) workload.requests.push_back(plan.requests[index].request);
  if (input.trace) planned.sample = sample_distance(*input.trace, workload, workload.requests.size());
  return planned;
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

/// Requests that keep all users of a closed level busy to its end although each stays with its conversation: several
/// conversations a user.
std::size_t spare_requests(const Plan& plan) {
  const auto openings = std::ranges::count_if(
      plan.requests, [](const PlannedRequest& planned) { return std::holds_alternative<WhenUserFree>(planned.due); });
  const double turns =
      static_cast<double>(plan.requests.size()) / static_cast<double>(std::max<std::ptrdiff_t>(openings, 1));
  const double spare = conversations_ready * plan.level.target * turns;
  return static_cast<std::size_t>(std::min(spare, static_cast<double>(most_requests_drawn)));
}

/// Requests/s of the plan's first `count` requests that come at times of their own; absent for fewer than two instants.
std::optional<double> rate_of_first(const Plan& plan, std::size_t count) {
  Nanos last{};
  std::size_t seen = 0;
  for (const PlannedRequest& planned : plan.requests) {
    if (seen == count) break;
    const auto* offset = std::get_if<AtOffset>(&planned.due);
    if (offset != nullptr) last = std::max(last, offset->after_level_start);
    ++seen;
  }
  if (last <= Nanos(0) || seen < 2) return std::nullopt;
  return static_cast<double>(seen - 1) / seconds(last);
}

/// The requests before a replayed window, to be sent before the level; empty where there are none.
Plan warming_of(const Workload& workload, const Plan& level) {
  Plan warming;
  warming.level = {LevelKind::concurrency, warming_users, Arrivals::closed};
  warming.ordinal = level.ordinal;
  warming.seed = level.seed;
  if (workload.history.empty()) return warming;
  warming.blocks = workload.blocks;
  warming.block_size = workload.block_size;
  for (const Request& request : workload.history) {
    warming.requests.push_back({request, WhenUserFree{}});
    warming.requests.back().request.completion = Tokens(1);  // a prompt fills the cache, its answer hardly
  }
  return warming;
}

}  // namespace

Plan plan_level(const RunSpec& spec, const Input& input, const Level& level, const LevelRules& rules,
                std::uint32_t ordinal, const Expectation& expected, Workload& workload) {
  PlanSettings plan_settings{level, ordinal, spec.seed};
  plan_settings.think_times = spec.think_times;
  // Start with the expected number in flight, so that the queue need not grow from empty: that is a warm-up.
  if (level.kind == LevelKind::request_rate && expected.e2e && rules.warmup_requests != 0U) {
    plan_settings.initial_in_flight = static_cast<std::size_t>(std::llround(level.target * seconds(*expected.e2e)));
  }
  const std::size_t count = requests_to_draw(level, rules, expected.requests_per_s, plan_settings.initial_in_flight);
  const std::size_t window = rules.num_prompts.value_or(rules.max_requests);
  workload = draw_requests(input, spec, ordinal, count, window);
  Plan plan = make_plan(workload, plan_settings);
  if (level.kind == LevelKind::concurrency && has_turns(plan)) {
    // A user takes its conversation's turns one by one: for each user that many more requests must lie ready.
    workload = draw_requests(input, spec, ordinal, count + spare_requests(plan), window);
    plan = make_plan(workload, plan_settings);
  }
  if (level.arrivals == Arrivals::trace) plan.level.target = rate_of_first(plan, window).value_or(level.target);
  if (rules.num_prompts && rules.warmup_requests == 0U) plan.level.most_releases = *rules.num_prompts;
  return plan;
}

std::vector<LevelResult> sweep(const RunSpec& spec, const RunSettings& settings, const Input& input,
                               LevelDriver& driver, RunDescription& description) {
  std::vector<LevelResult> results;
  TextsSeen texts_seen;
  while (const std::optional<Level> level = choose_level(settings, results)) {
    if (driver.interrupted()) break;
    const auto ordinal = static_cast<std::uint32_t>(results.size());
    const Expectation expected = expect(*level, results);
    LevelRules rules = settings.rules;
    rules.expected_e2e = expected.e2e;
    Workload workload;
    const Plan plan = plan_level(spec, input, *level, rules, ordinal, expected, workload);
    description.cut_prompts += workload.cut_prompts;
    description.dropped_prompts += workload.dropped_prompts;
    description.sampler = name(workload.sampler);

    for (Doubt& doubt : driver.prepare(warming_of(workload, plan))) description.doubts.push_back(std::move(doubt));
    if (driver.interrupted()) break;
    StandardCourse course(plan.level, rules);
    LevelRecords records;
    records.level = plan.level;
    records.ordinal = ordinal;
    driver.run(plan, course, records);
    description.planned[ordinal] = planned_of(input, plan, records, workload);
    if (spec.content == "log") description.repeated_texts += texts_seen.take(workload.requests);
    description.planned[ordinal].cache_counted_rate = driver.counted_hit_rate();
    if (driver.interrupted()) break;

    LevelResult result = measure(records, rules, settings.goodput_limits, spec.engine_speed,
                                 description.calibration ? &*description.calibration : nullptr);
    driver.measured(result);
    const bool dead = nobody_was_answered(result);
    results.push_back(std::move(result));
    if (dead) break;  // more levels would only hammer a target that is down
  }
  return results;
}

}  // namespace loadline
