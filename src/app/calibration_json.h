#pragma once
// Limits and rows of a calibration as JSON: one form for the file of limits, run.sqlite and `calibrate --json`.

#include <nlohmann/json.hpp>
#include <vector>

#include "app/calibrate_row.h"
#include "core/calibration.h"

namespace loadline {

nlohmann::ordered_json json_of(const ClientCalibration& calibration);
/// Throws nlohmann::json::exception or Error for what json_of does not make.
ClientCalibration calibration_from(const nlohmann::json& json);

/// Absent figures are null; units last in the keys.
nlohmann::ordered_json json_of(const CalibrationRow& row);

}  // namespace loadline
