#include "app/plan_level.h"

#include <algorithm>
#include <cmath>

#include "core/releases.h"
#include "plan/make_plan.h"
#include "plan/requests_to_draw.h"

namespace loadline {
namespace {

constexpr double warming_users = 16;
constexpr double conversations_ready = 4;

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

/// The same share of each prompt counts as found, in whole tokens.
void tell_cache(double rate, Plan& plan) {
  for (PlannedRequest& planned : plan.requests) {
    Prompt& prompt = planned.request.prompt;
    prompt.found_in_cache = Tokens(std::llround(rate * static_cast<double>(prompt.length.value())));
  }
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
  if (spec.cache_rate) tell_cache(*spec.cache_rate, plan);
  if (level.arrivals == Arrivals::trace) plan.level.target = rate_of_first(plan, window).value_or(level.target);
  if (rules.num_prompts && rules.warmup_requests == 0U) plan.level.most_releases = *rules.num_prompts;
  return plan;
}

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

}  // namespace loadline
