#pragma once
// That a report is a prediction and no measurement: from which run, by which fitted engine, with what changed.

#include <cstdint>
#include <string>
#include <vector>

#include "core/level.h"

namespace loadline {

/// One parameter of the fitted engine model. Not told: the run would look the same with half or twice the value (a
/// share: 0.3 more or less); `low` and `high` then say nothing.
struct FittedParameter {
  std::string key;
  double value = 0, low = 0, high = 0;
  bool is_told = false;
};

/// How far the fitted engine is from a measured level: simulated / measured.
struct FittedFigure {
  std::string figure;  ///< "output tokens/s", "TTFT p50", ...
  double ratio = 1;
};
struct FittedLevel {
  LevelKind kind = LevelKind::concurrency;
  double target = 0;
  std::uint32_t requests = 0;  ///< measured ones that were compared
  std::vector<FittedFigure> figures;
};

struct Prediction {
  std::string from;                     ///< the run, as the user named it
  std::string engine, model, hardware;  ///< of that run; empty where it does not tell
  std::vector<FittedParameter> parameters;
  std::vector<FittedLevel> levels;
  double fit_error = 0;              ///< root mean square of all ln(simulated / measured)
  std::vector<std::string> changed;  ///< what differs from the run, in words; never empty
};

}  // namespace loadline
