#include "app/describe_sweep.h"

#include "curve/capacity_estimate.h"
#include "curve/hysteresis.h"
#include "curve/pass_capacities.h"
#include "curve/visits.h"

namespace loadline {
namespace {

std::optional<double> reached(const std::optional<Capacity>& capacity) {
  return capacity && capacity->estimate_exists ? precision_of(capacity->requests_per_s) : std::nullopt;
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
  sweep.closed_visits = static_cast<std::uint32_t>(count_visits(report.levels, LevelKind::concurrency));
  sweep.open_visits = static_cast<std::uint32_t>(count_visits(report.levels, LevelKind::request_rate));
  sweep.passes = capacities_of_passes(report.levels, report.objectives, description.prescribed_mean_completion());
  sweep.between_passes = capacity_between(sweep.passes);
  sweep.up_and_down = compare_up_and_down(report.levels);
}

}  // namespace loadline
