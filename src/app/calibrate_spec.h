#pragma once
// What `loadline calibrate` can be told, and the loads that it tries.

#include <optional>
#include <string>
#include <vector>

#include "app/calibrate_row.h"
#include "app/option_row.h"
#include "core/units.h"

namespace loadline {

struct CalibrateSpec {
  std::string streams, rates, tokens_per_write, phases, requests;  ///< empty: the usual ones
  std::string duration;
  std::uint64_t client_threads = 1;
  bool quick = false, json = false;
  std::string output;
};

const std::vector<OptionRow<CalibrateSpec>>& calibrate_rows();

/// The loads in the order in which they are tried, the lightest first.
struct CalibrationPlan {
  std::vector<CalibrationLoad> loads;
  Nanos duration{};           ///< measured, of each
  std::uint32_t threads = 1;  ///< of the client
};
/// Throws Error naming the option that cannot be.
CalibrationPlan calibration_plan(const CalibrateSpec& spec);

}  // namespace loadline
