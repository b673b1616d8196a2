#pragma once
// Whether the client itself was what a level measured, and what to add to its machine.

#include <string>

#include "core/calibration.h"
#include "core/level_result.h"
#include "measure/measured_set.h"

namespace loadline {

/// Sentences; empty where there is nothing to say.
struct ClientDoubts {
  std::string limited;   ///< client_limited: the figures are the client's
  std::string unproven;  ///< client_unproven: more than any load that the calibration tried
};

/// limited: in wall time, p99 of reading or (open loop) sending late over 5 ms, or a thread over 85% busy; a request
/// that could not be sent for want of something on this machine; or a load per thread over what `calibration` proved:
/// reads of output per second (its events, each in a read of its own), requests in flight on average, requests sent per
/// second. unproven: over a limit that is only known to be at least that. `calibration` null: there is none.
ClientDoubts client_doubts(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result,
                           double engine_speed, const ClientCalibration* calibration);

}  // namespace loadline
