#pragma once
// A calibration for people: one table for streams, one for requests, then what is proven.

#include <span>
#include <string>
#include <vector>

#include "app/calibrate_row.h"
#include "core/calibration.h"

namespace loadline {

/// Head of the table that the load's rows stand in, and one row; each with its line's end.
std::string table_head(LevelKind kind);
std::string table_row(const CalibrationRow& row);

/// The bounds, the limits and what the engine itself could have sent.
std::string limits_text(const ClientCalibration& limits, std::span<const CalibrationRow> rows);

}  // namespace loadline
