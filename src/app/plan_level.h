#pragma once
// The plan of one level of a run: its requests drawn from the input, with their due times.

#include <cstdint>
#include <optional>

#include "app/input.h"
#include "app/run_spec.h"
#include "core/level.h"
#include "core/plan.h"
#include "core/workload.h"

namespace loadline {

/// What the levels run so far tell of the next one: its rate, and how long a request takes.
struct Expectation {
  std::optional<double> requests_per_s;
  std::optional<Nanos> e2e;
};

/// The plan of level `ordinal`, longer than the level can need. `workload` keeps what was drawn, for who asks how.
Plan plan_level(const RunSpec& spec, const Input& input, const Level& level, const LevelRules& rules,
                std::uint32_t ordinal, const Expectation& expected, Workload& workload);

/// The requests before a replayed window, to be sent before the level; empty where there are none.
Plan warming_of(const Workload& workload, const Plan& level);

}  // namespace loadline
