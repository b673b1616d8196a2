#include "plan/make_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "plan/level_checks.h"
#include "plan/turns.h"
#include "plan/unit_arrivals.h"

namespace loadline {
namespace {

// The stream of randomness of the arrivals; lengths have another (workload/request_key.cpp).
constexpr std::uint64_t arrivals_stream = 0x6172726976616c73;
constexpr double longest_plan_s = 100 * 365.25 * 86400;

AtOffset offset_of(double offset_s) {
  if (offset_s > longest_plan_s) {
    throw Error(fmt::format("The last request would be due after {:.0f} years: raise the rate or ask for fewer.",
                            offset_s / (365.25 * 86400)));
  }
  return {nanos(Seconds(offset_s))};
}

/// Of each request, in the order of the plan, whether it comes at a time of its own: all but turns whose pause is
/// logged.
using OwnTimes = std::vector<bool>;

/// The request comes `offset` after the level's start, or when its turn before has ended, if that is later.
void set_time(PlannedRequest& planned, AtOffset offset) {
  if (auto* turn = std::get_if<AfterTurn>(&planned.due)) {
    turn->not_before = offset.after_level_start;
  } else {
    planned.due = offset;
  }
}

void set_random_offsets(std::vector<PlannedRequest>& requests, const OwnTimes& own, const PlanSettings& settings) {
  const auto arriving = static_cast<double>(std::count(own.begin(), own.end(), true));
  const double share = arriving / static_cast<double>(requests.size());
  UnitArrivals arrivals(settings.level, mix(mix(settings.seed, arrivals_stream), settings.ordinal));
  std::size_t number = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!own[i]) continue;
    const bool at_once = number++ < settings.initial_in_flight;
    set_time(requests[i], at_once ? AtOffset{} : offset_of(arrivals.next() / (settings.level.target * share)));
  }
}

void set_logged_offsets(std::vector<PlannedRequest>& requests, const OwnTimes& own, double scale) {
  if (!requests.empty() &&
      std::none_of(requests.begin(), requests.end(), [](const auto& planned) { return planned.request.arrival; })) {
    throw Error(
        "None of these requests has an arrival in the log: it has no times, or its rows were drawn one by one, or this "
        "stretch of it holds only turns without a stamp. Give --sampler replay and another --seed, or an arrival "
        "process and a rate.");
  }
  AtOffset latest;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!own[i]) continue;
    const std::optional<Nanos>& arrival = requests[i].request.arrival;
    if (arrival) latest = offset_of(seconds(*arrival) / scale);
    set_time(requests[i], latest);
  }
}

}  // namespace

Plan make_plan(const Workload& workload, const PlanSettings& settings) {
  require_possible(settings.level);

  Plan plan;
  plan.level = settings.level;
  plan.ordinal = settings.ordinal;
  plan.seed = settings.seed;
  plan.blocks = workload.blocks;
  plan.block_size = workload.block_size;
  plan.requests.reserve(workload.requests.size());
  const bool closed = settings.level.kind == LevelKind::concurrency;
  const bool own_times = settings.level.arrivals == Arrivals::trace;
  const auto turns = turns_that_wait(workload.requests, !closed && (own_times || settings.think_times));
  OwnTimes own(workload.requests.size(), true);
  for (std::size_t i = 0; i < workload.requests.size(); ++i) {
    plan.requests.push_back({workload.requests[i], WhenUserFree{}});
    if (!turns[i]) continue;
    plan.requests.back().due = AfterTurn{turns[i]->before, turns[i]->pause.value_or(Nanos{})};
    own[i] = !turns[i]->pause;
  }
  if (closed) return plan;
  if (own_times) {
    set_logged_offsets(plan.requests, own, settings.level.arrival_scale);
  } else {
    set_random_offsets(plan.requests, own, settings);
  }
  return plan;
}

}  // namespace loadline
