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

/// The requests that wait for no turn before them, in the order of the plan.
std::vector<PlannedRequest*> independent(std::vector<PlannedRequest>& requests) {
  std::vector<PlannedRequest*> all;
  for (PlannedRequest& planned : requests) {
    if (!std::holds_alternative<AfterTurn>(planned.due)) all.push_back(&planned);
  }
  return all;
}

void set_random_offsets(std::vector<PlannedRequest>& requests, const PlanSettings& settings) {
  const std::vector<PlannedRequest*> arriving = independent(requests);
  const double share = static_cast<double>(arriving.size()) / static_cast<double>(requests.size());
  UnitArrivals arrivals(settings.level, mix(mix(settings.seed, arrivals_stream), settings.ordinal));
  for (std::size_t i = 0; i < arriving.size(); ++i) {
    arriving[i]->due =
        i < settings.initial_in_flight ? AtOffset{} : offset_of(arrivals.next() / (settings.level.target * share));
  }
}

void set_logged_offsets(std::vector<PlannedRequest>& requests, double scale) {
  if (!requests.empty() &&
      std::none_of(requests.begin(), requests.end(), [](const auto& planned) { return planned.request.arrival; })) {
    throw Error(
        "These requests have no arrivals to replay: the log has no times, or its rows were drawn one by one. Give "
        "--sampler replay, or an arrival process and a rate.");
  }
  AtOffset latest;
  for (PlannedRequest* planned : independent(requests)) {
    const std::optional<Nanos>& arrival = planned->request.arrival;
    if (arrival) latest = offset_of(seconds(*arrival) / scale);
    planned->due = latest;
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
  const auto turns = turns_that_wait(workload.requests, settings.level.kind);
  for (std::size_t i = 0; i < workload.requests.size(); ++i) {
    plan.requests.push_back({workload.requests[i], WhenUserFree{}});
    if (turns[i]) plan.requests.back().due = *turns[i];
  }
  if (settings.level.kind == LevelKind::concurrency) return plan;
  if (settings.level.arrivals == Arrivals::trace) {
    set_logged_offsets(plan.requests, settings.level.arrival_scale);
  } else {
    set_random_offsets(plan.requests, settings);
  }
  return plan;
}

}  // namespace loadline
