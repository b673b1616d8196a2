#pragma once
// A level: one load held constant. And the rules it runs by.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/request_class.h"
#include "core/units.h"

namespace loadline {

enum class LevelKind : std::uint8_t { concurrency, request_rate };
enum class Arrivals : std::uint8_t { closed, constant, poisson, gamma, trace };

/// What a level was run for.
enum class LevelPurpose : std::uint8_t {
  listed,    ///< the user asked for this load
  ladder,    ///< the sweep's curve: through and past the crossing
  ramp,      ///< the search's first rough look
  step,      ///< the open search's way to the crossing
  visit,     ///< near the crossing, of a fixed number of requests, so that the capacity becomes known
  backward,  ///< the same loads again, downwards, for hysteresis
};

struct Level {
  LevelKind kind = LevelKind::concurrency;
  double target = 1;  ///< users, or requests/s
  Arrivals arrivals = Arrivals::closed;
  double burstiness = 1;     ///< gamma arrivals: the shape of the gaps; below 1 burstier than Poisson, above 1 steadier
  double arrival_scale = 1;  ///< trace arrivals: the log's own times, this many times faster
  Nanos ramp{};              ///< closed loop: users start evenly over this span; 0: all at once
  std::uint32_t max_in_flight = 0;  ///< open loop: what is due waits while so many are in flight; 0: without limit
  LevelPurpose purpose = LevelPurpose::listed;
  std::uint32_t pass = 0;           ///< which repetition of the whole sweep, from 0
  std::uint32_t requests = 0;       ///< measure exactly so many, as the sweep decided; 0: as the rules say
  std::uint32_t most_releases = 0;  ///< no more requests than these are released, however long the plan; 0: no limit
};

enum class Latency : std::uint8_t { ttft, tpot, itl, e2e };
/// An objective (SLO): `percentile` of `metric` <= limit. `percentile` in (0, 1), e.g. 0.99.
struct Objective {
  Latency metric = Latency::ttft;
  double percentile = 0.99;
  Nanos limit{};
  std::optional<RequestClass> of{};  ///< only requests of this class; absent: all
};
/// On the 99th percentile of all requests, which levels hold as p99 and figures draw.
bool is_p99_of_all(const Objective& objective);
/// Per-request limits of goodput; a request is good when it succeeded and meets all that are set.
struct GoodputLimits {
  std::optional<Nanos> ttft, tpot, e2e;
  bool any() const { return ttft || tpot || e2e; }
};

std::string_view name(Latency metric);
std::string_view name(LevelKind kind);
std::string_view name(Arrivals arrivals);
/// "listed", "ladder", "ramp", "step", "visit", "backward".
std::string_view name(LevelPurpose purpose);
std::optional<LevelPurpose> level_purpose_named(std::string_view name);

/// When a level's warm-up has ended and when its window may close. docs/method.md sections 2 and 3.
struct LevelRules {
  std::vector<Objective> objectives;  ///< empty: no verdict, only stability
  Nanos warmup_min = std::chrono::seconds(10);
  Nanos open_warmup_min = std::chrono::seconds(60);
  std::optional<std::uint32_t> warmup_requests;  ///< explicit: replaces the structural warm-up; 0: none
  std::optional<std::uint32_t> num_prompts;      ///< explicit: measure exactly this many, no early stop
  std::optional<Nanos> duration;                 ///< explicit: measure exactly this long
  std::uint32_t first_check = 1000;
  double check_growth = 1.25;
  double precision = 0.20;  ///< of p99, its longer side
  std::uint32_t max_requests = 5000;
  Nanos max_duration = std::chrono::seconds(600);
  Nanos max_duration_few_users = std::chrono::seconds(60);  ///< 1 to 4 users
  bool until_stable = false;                                ///< `decided` does not end a level
  std::optional<Nanos> expected_e2e;                        ///< open loop: 3 of it is the least warm-up
};

/// The rules that `level` runs by: the run's, but where the sweep fixed how many requests it measures.
LevelRules rules_of(const Level& level, LevelRules run_rules);

}  // namespace loadline
