#include "app/describe_sweep.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "curve/capacity_estimate.h"
#include "curve/hysteresis.h"
#include "curve/operating_point.h"
#include "statistics/mean_interval.h"

namespace loadline {
namespace {

std::uint32_t count_visits(const std::vector<LevelResult>& levels, LevelKind kind) {
  return static_cast<std::uint32_t>(std::ranges::count_if(levels, [&](const LevelResult& one) {
    return one.level.purpose == LevelPurpose::visit && one.level.kind == kind;
  }));
}

std::optional<double> reached(const std::optional<Capacity>& capacity) {
  return capacity && capacity->estimate_exists ? precision_of(capacity->requests_per_s) : std::nullopt;
}

std::vector<PassCapacity> capacities_of_passes(const RunDescription& description, const RunReport& report) {
  std::set<std::uint32_t> passes;
  for (const LevelResult& one : report.levels) passes.insert(one.level.pass);
  std::vector<PassCapacity> capacities;
  if (passes.size() < 2) return capacities;
  for (const std::uint32_t pass : passes) {
    std::vector<LevelResult> levels;
    std::ranges::copy_if(report.levels, std::back_inserter(levels),
                         [&](const LevelResult& one) { return one.level.pass == pass; });
    Curve curve = make_curve(levels, report.objectives, description.prescribed_mean_completion());
    capacities.push_back({pass, std::move(curve.closed), std::move(curve.open)});
  }
  return capacities;
}

std::optional<Estimate> between(const std::vector<PassCapacity>& passes) {
  std::vector<double> logs;
  for (const PassCapacity& one : passes) {
    if (one.closed && one.closed->estimate_exists) logs.push_back(std::log(one.closed->requests_per_s.value));
  }
  const std::optional<MeanInterval> mean = mean_interval(logs);
  if (!mean) return std::nullopt;
  return Estimate{std::exp(mean->mean), std::exp(mean->low), std::exp(mean->high)};
}

}  // namespace

void describe_sweep(const RunDescription& description, const SweepGoal& goal, RunReport& report) {
  SweepOutcome& sweep = report.sweep;
  sweep.mode = !goal.listed.empty() ? "listed" : goal.search ? "search" : "sweep";
  sweep.closed_end = description.closed_end;
  sweep.open_end = description.open_end;
  for (const LevelResult& one : report.levels) {
    sweep.engine_s += one.engine_s;
    (one.level.kind == LevelKind::concurrency ? sweep.closed_engine_s : sweep.open_engine_s) += one.engine_s;
  }
  if (goal.listed.empty()) sweep.closed_budget_s = goal.closed_budget_s;
  if (goal.open) sweep.open_budget_s = goal.open_budget_s;
  sweep.precision_asked = goal.precision;
  sweep.open_precision_asked = open_visits(goal.precision).precision;
  sweep.closed_precision = reached(report.curve.closed);
  sweep.open_precision = reached(report.curve.open);
  sweep.closed_visits = count_visits(report.levels, LevelKind::concurrency);
  sweep.open_visits = count_visits(report.levels, LevelKind::request_rate);
  sweep.passes = capacities_of_passes(description, report);
  sweep.between_passes = between(sweep.passes);
  sweep.up_and_down = compare_up_and_down(report.levels);
}

}  // namespace loadline
