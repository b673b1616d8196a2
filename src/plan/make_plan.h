#pragma once
// From what is asked to when: the requests of one level with their due times, all decided before the first
// byte. The room knows nothing of targets, clocks or results: when a level has had enough of its plan is for
// its course to say (core/course.h).

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "core/level.h"
#include "core/plan.h"
#include "core/workload.h"

namespace loadline {

struct PlanSettings {
  Level level;
  std::uint32_t ordinal = 0;  ///< of the level within the run, as given to the draw of its workload
  std::uint64_t seed = 0;
  /// Open loop: so many are due at offset 0, so that the queue is filled. The log's own arrivals: none is.
  std::size_t initial_in_flight = 0;
  /// Open loop, processes: turns whose pause the log tells come that long after their turn before, not at a time of the
  /// process. With the log's own arrivals they always do.
  bool think_times = false;
};

/// The plan of one level; requests in the order of the workload. Later turns of a session wait for the turn before
/// (plan/turns.h): AfterTurn. Times never decrease from one request that comes at its own to the next.
///
/// Closed loop: requests are due when a user is free; a turn when its turn before has ended, for the same user.
/// Open loop: the first `initial_in_flight` at offset 0 (at most all). Of the others number k = 1, 2, ... comes at
/// k / rate (constant: exact to the nanosecond, no drift), or after the sum of k random gaps of mean 1 / rate
/// (poisson, gamma: plan/unit_arrivals.h); a turn then, or when its turn before has ended, if that is later. With
/// `think_times` `rate` is the level's times the share of requests that do not come by their pause, so that the offered
/// rate becomes the level's once conversations have built up. The gaps have their own stream of randomness, decided by
/// seed and ordinal and the same at every rate; so neither rate nor arrival process changes a request, and two runs of
/// one seed see the same load. The log's own arrivals (trace): at Request::arrival / arrival_scale, whatever
/// level.target; one whose arrival the log does not know comes with the one before it. Pauses are the log's, not
/// scaled.
///
/// Throws Error: users not a whole number of at least 1; a rate not above 0; arrivals that do
/// not fit the kind of level, a burstiness or scale that cannot be, a workload that knows no arrivals for those of the
/// log; a last due time beyond 100 years.
Plan make_plan(const Workload& workload, const PlanSettings& settings);

/// A hash over every field of the plan: equal digests, equal plans. Stable across machines
/// (random times go through the system's logarithm: to within its last bit, that is, as good as always).
std::uint64_t plan_digest(const Plan& plan);

/// Digests of the first 1, 2, 4, 8, ... requests in the order of the plan: what is asked, how long, in which session
/// and with which shared beginnings; neither when it is due nor in which words (the salt). Two plans of other lengths
/// send the same ordered requests where the digests at their largest common number are equal.
std::map<std::uint32_t, std::string> request_digests(const Plan& plan);

}  // namespace loadline
