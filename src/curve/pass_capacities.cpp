#include "curve/pass_capacities.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "curve/operating_point.h"
#include "statistics/mean_interval.h"

namespace loadline {

std::vector<PassCapacity> capacities_of_passes(const std::vector<LevelResult>& levels,
                                               const std::vector<Objective>& objectives,
                                               std::optional<double> workload_mean_completion) {
  std::set<std::uint32_t> passes;
  for (const LevelResult& one : levels) passes.insert(one.level.pass);
  std::vector<PassCapacity> capacities;
  if (passes.size() < 2) return capacities;
  for (const std::uint32_t pass : passes) {
    std::vector<LevelResult> of_pass;
    std::ranges::copy_if(levels, std::back_inserter(of_pass),
                         [&](const LevelResult& one) { return one.level.pass == pass; });
    Curve curve = make_curve(of_pass, objectives, workload_mean_completion);
    capacities.push_back({pass, std::move(curve.closed), std::move(curve.open)});
  }
  return capacities;
}

std::optional<Estimate> capacity_between(std::span<const PassCapacity> passes) {
  std::vector<double> logs;
  for (const PassCapacity& one : passes) {
    if (one.closed && one.closed->estimate_exists) logs.push_back(std::log(one.closed->requests_per_s.value));
  }
  const std::optional<MeanInterval> mean = mean_interval(logs);
  if (!mean) return std::nullopt;
  return Estimate{std::exp(mean->mean), std::exp(mean->low), std::exp(mean->high)};
}

}  // namespace loadline
