#pragma once
// From what came of each load to what the client is proven to carry.

#include <span>

#include "app/calibrate_row.h"
#include "core/calibration.h"

namespace loadline {

/// The bounds of a load that the client carries.
struct CalibrationBounds {
  double ttft_error_p99_ms = 1;
  double read_lateness_p99_ms = 5, send_lateness_p99_ms = 5;
  double cpu_share = 0.85;
  double delivered_share = 0.95;  ///< of the offered events, and of the streams that were to be open
  // Beyond these a load that was not carried is not the client's fault.
  double engine_lateness_p99_ms = 5;
  double waited_share = 0.005;
};
inline constexpr CalibrationBounds calibration_bounds;

/// Sets fault and reason by the row's figures.
void judge(CalibrationRow& row);

/// The highest loads per thread that were carried within the bounds. Events by the loads of fewest tokens a write,
/// since each write is a read of its own. A limit is only a lower end where no higher load was found to be too much for
/// the client: the failures of the engine, and of a machine whose cores others kept busy, prove nothing.
ClientCalibration limits_of(std::span<const CalibrationRow> rows, std::string calibrated_utc);

}  // namespace loadline
