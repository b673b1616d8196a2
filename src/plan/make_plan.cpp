#include "plan/make_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

// The stream of randomness of the arrivals; lengths have another (workload/draw.cpp).
constexpr std::uint64_t arrivals_stream = 0x6172726976616c73;
constexpr double longest_plan_s = 100 * 365.25 * 86400;
constexpr double most_users = 1e6;

void require_users(const Level& level) {
  const double users = level.target;
  if (!(users >= 1) || users > most_users || users != std::floor(users)) {
    throw Error(fmt::format("A concurrency of {} cannot be held: give a whole number of users from 1 to {}.", users,
                            most_users));
  }
  if (level.arrivals != Arrivals::closed) {
    throw Error(fmt::format("A level of {} users has no {} arrivals: each user sends when its last request has ended.",
                            users, name(level.arrivals)));
  }
}

void require_rate(const Level& level) {
  if (!(level.target > 0) || !std::isfinite(level.target)) {
    throw Error(fmt::format("A request rate of {} cannot be offered: give requests per second above 0.", level.target));
  }
  if (level.arrivals == Arrivals::closed) {
    throw Error(fmt::format("A rate of {} requests/s needs an arrival process: constant or poisson.", level.target));
  }
}

/// Arrivals of a process of rate 1, one after another.
class UnitArrivals {
 public:
  UnitArrivals(Arrivals arrivals, std::uint64_t seed) : constant_(arrivals == Arrivals::constant), random_(seed) {}
  double next() { return at_ += constant_ ? 1 : random_.exponential(1); }

 private:
  bool constant_;
  Random random_;
  double at_ = 0;
};

AtOffset offset_of(double offset_s) {
  if (offset_s > longest_plan_s) {
    throw Error(fmt::format("The last request would be due after {:.0f} years: raise the rate or ask for fewer.",
                            offset_s / (365.25 * 86400)));
  }
  return {nanos(Seconds(offset_s))};
}

void set_offsets(std::vector<PlannedRequest>& requests, const PlanSettings& settings) {
  UnitArrivals arrivals(settings.level.arrivals, mix(mix(settings.seed, arrivals_stream), settings.ordinal));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].due = i < settings.initial_in_flight ? AtOffset{} : offset_of(arrivals.next() / settings.level.target);
  }
}

}  // namespace

Plan make_plan(const Workload& workload, const PlanSettings& settings) {
  const bool closed = settings.level.kind == LevelKind::concurrency;
  closed ? require_users(settings.level) : require_rate(settings.level);

  Plan plan;
  plan.level = settings.level;
  plan.ordinal = settings.ordinal;
  plan.seed = settings.seed;
  plan.blocks = workload.blocks;
  plan.block_size = workload.block_size;
  plan.requests.reserve(workload.requests.size());
  for (const Request& request : workload.requests) plan.requests.push_back({request, WhenUserFree{}});
  if (!closed) set_offsets(plan.requests, settings);
  return plan;
}

}  // namespace loadline
