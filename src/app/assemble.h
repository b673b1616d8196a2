#pragma once
// From what a run stored to the one value that is reported. The same for `run`, `simulate` and `report`, so
// that another objective read later equals what a run with it would have said of the same requests.

#include <vector>

#include "app/description.h"
#include "app/settings.h"
#include "core/level.h"
#include "core/level_result.h"
#include "core/run_report.h"

namespace loadline {

struct Question {
  std::vector<Objective> objectives;
  GoodputLimits goodput_limits;
  std::string decision, primary_metric;
  SweepGoal goal;
};

/// What the settings ask.
Question question_of(const RunSettings& settings);

/// `levels`: the complete ones, measured with the question's objectives. Adds bounds and doubts to them.
RunReport assemble(const RunDescription& description, const Question& question, std::vector<LevelResult> levels);

}  // namespace loadline
