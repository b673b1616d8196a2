#include "bench/method/one_level.h"

#include <limits>

#include "core/error.h"
#include "engine/virtual_driver.h"
#include "measure/measure.h"
#include "measure/measured_set.h"
#include "measure/standard_course.h"

namespace loadline::bench {
namespace {

constexpr std::uint32_t pilot_requests = 1000;
constexpr std::uint64_t pilot_seed = 1'000'003;

RunSpec spec_of_worked_example() {
  RunSpec spec;
  spec.trace = {"builtin:worked-example"};
  return spec;
}

LevelCase closed(double users, double p99_s, double low, double high) {
  return {std::to_string(static_cast<int>(users)) + " users",
          {LevelKind::concurrency, users, Arrivals::closed},
          p99_s,
          low,
          high};
}

LevelCase open_at(double rate, const std::string& name, double p99_s, double low, double high) {
  return {name, {LevelKind::request_rate, rate, Arrivals::poisson}, p99_s, low, high};
}

}  // namespace

const std::vector<LevelCase>& level_cases() {
  // `method_bench truth` prints these; 7.72/s is where docs/method.md has Poisson arrivals cross 1,000 ms. The rates
  // are 58, 67, 75 and 87% of the most that any closed run carries, 11.5 requests/s.
  static const std::vector<LevelCase> cases = {
      closed(8, 0.3783, 0.3740, 0.3839),
      closed(32, 0.6619, 0.6507, 0.6805),
      closed(64, 1.3861, 1.3573, 1.4169),
      closed(96, 3.0445, 2.9927, 3.0982),
      open_at(6.67, "6.67/s (58%)", 0.8293, 0.8108, 0.8512),
      open_at(7.72, "7.72/s (67%)", 0.9926, 0.9646, 1.0205),
      open_at(8.63, "8.63/s (75%)", 1.2088, 1.1738, 1.2455),
      open_at(10.0, "10.0/s (87%)", 2.0795, 1.9521, 2.2531),
  };
  return cases;
}

const Input& worked_example() {
  static const Input input = open_input(spec_of_worked_example(), true);
  return input;
}

ObservedLevel observe(const Level& level, std::uint32_t requests, std::uint64_t seed, const Expectation& expected) {
  RunSpec spec = spec_of_worked_example();
  spec.seed = seed;
  LevelRules rules;
  rules.num_prompts = requests;
  rules.expected_e2e = expected.e2e;
  Workload workload;
  const Plan plan = plan_level(spec, worked_example(), level, rules, 0, expected, workload);
  StandardCourse course(plan.level, rules);
  LevelRecords records;
  simulate_level(plan, course, EngineParameters{}, records);

  ObservedLevel observed{measure(records, rules, {}), {}};
  for (const std::uint32_t index : measured_set(records, rules).members) {
    const std::optional<Nanos> first = ttft(records.requests[index]);
    observed.ttft_s.push_back(first ? seconds(*first) : std::numeric_limits<double>::infinity());
  }
  check(observed.ttft_s.size() == requests, "a level of exactly so many requests measures them all");
  return observed;
}

Expectation pilot(const Level& level) {
  Expectation expected;
  if (level.kind != LevelKind::request_rate) return expected;
  expected.requests_per_s = level.target;
  const ObservedLevel first = observe(level, pilot_requests, pilot_seed, expected);
  expected.e2e = nanos(Seconds(first.result.e2e_ms.mean.value() / 1e3));
  return expected;
}

}  // namespace loadline::bench
