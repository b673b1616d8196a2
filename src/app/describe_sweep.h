#pragma once
// How the levels of a run were chosen, what they cost and how closely they tell the capacity.

#include "app/description.h"
#include "core/run_report.h"
#include "curve/sweep_planner.h"

namespace loadline {

/// Fills report.sweep from its levels and its curve.
void describe_sweep(const RunDescription& description, const SweepGoal& goal, RunReport& report);

}  // namespace loadline
