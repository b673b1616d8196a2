#pragma once
// From a measured run to what another load, objective, machine or cache would give: the engine model fitted to its
// levels, its requests as the input. docs/method.md section 8.

#include <string>

#include "app/input.h"
#include "app/progress.h"
#include "app/run_spec.h"
#include "core/doubt.h"
#include "core/prediction.h"
#include "engine/parameters.h"

namespace loadline {

struct PreparedPrediction {
  EngineParameters engine;  ///< fitted, and moved to other hardware where asked
  Input input;
  Prediction prediction;
  std::vector<Doubt> doubts;
};

/// Reads the run `spec.calibrate_from`, fits, and completes `spec` by what the run says: its objectives and its
/// measured cache rate where none is given. Error (exit 2) where the folder is no run, has fewer than three levels
/// whose answers tell TTFT and TPOT, or does not know the hardware that --hardware is compared with.
PreparedPrediction prepare_prediction(RunSpec& spec, Progress& progress);

/// Error where options of predictions are given without a run to predict from, or contradict it.
void require_consistent_prediction(const RunSpec& spec);

}  // namespace loadline
