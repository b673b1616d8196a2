#include "bench/method/one_capacity.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/describe_run.h"
#include "app/settings.h"
#include "app/simulated_driver.h"
#include "app/sweep.h"
#include "bench/method/one_level.h"
#include "core/error.h"
#include "curve/operating_point.h"

namespace loadline::bench {
namespace {

/// Flat below a knee at 72 users.
EngineParameters engine_b() {
  EngineParameters parameters;
  parameters.token_budget = 512;
  parameters.max_sequences = 72;
  return parameters;
}

RunSpec spec_of(const CapacityCase& one, Way way, const std::string& budget, std::uint64_t seed) {
  RunSpec spec;
  spec.trace = {"builtin:worked-example"};
  spec.seed = seed;
  spec.slo = {fmt::format("p99 ttft<={}ms", one.limit_ms)};
  spec.search = way == Way::search;
  spec.no_refine = way == Way::curve;
  spec.open = way == Way::open;
  if (way == Way::ten) {
    spec.concurrency = "1,2,4,8,16,32,48,64,80,96";
    spec.num_prompts = 1000;
  } else {
    spec.budget = budget;
  }
  return spec;
}

}  // namespace

const std::vector<CapacityCase>& capacity_cases() {
  static const std::vector<CapacityCase> cases = {
      {"A, 500 ms", {}, 500, 19.6, 5.53, 3.2},
      {"A, 1,000 ms", {}, 1000, 50.1, 9.88, 7.72},
      {"A, 1,500 ms", {}, 1500, 67.6, 10.83, 9.23},
      {"A, 3,000 ms", {}, 3000, 95.1, 11.42, 10.41},
      {"B, 500 ms", engine_b(), 500, 68.5, 10.91, {}},
      {"B, 1,000 ms", engine_b(), 1000, 75.2, 11.04, {}},
      {"B, 1,500 ms", engine_b(), 1500, 79.1, 11.05, {}},
      {"B, 3,000 ms", engine_b(), 3000, 92.5, 11.02, {}},
  };
  return cases;
}

Way way_named(const std::string& word) {
  if (word == "search") return Way::search;
  if (word == "sweep") return Way::sweep;
  if (word == "curve") return Way::curve;
  if (word == "ten") return Way::ten;
  if (word == "open") return Way::open;
  throw Error(fmt::format("way '{}' is unknown; known are search, sweep, curve, ten, open", word));
}

FoundCapacity find_capacity(const CapacityCase& one, Way way, const std::string& budget, std::uint64_t seed) {
  const RunSpec spec = spec_of(one, way, budget, seed);
  const RunSettings settings = settle(spec);
  RunDescription description = describe_run(spec, worked_example(), "");
  Progress silent(ProgressKind::none);
  std::optional<RunWriter> kept_nowhere;
  SimulatedDriver driver(one.engine, silent, kept_nowhere);
  const std::vector<LevelResult> levels = sweep(spec, settings, worked_example(), driver, description);
  const Curve curve = make_curve(levels, settings.rules.objectives, description.prescribed_mean_completion());

  const bool open = way == Way::open;
  FoundCapacity found{open ? curve.open : curve.closed, 0, open ? description.open_end : description.closed_end};
  const LevelKind kind = open ? LevelKind::request_rate : LevelKind::concurrency;
  for (const LevelResult& level : levels) found.engine_s += level.level.kind == kind ? level.engine_s : 0;
  return found;
}

}  // namespace loadline::bench
