#pragma once
// The client's stamps against the engine's own.

#include <span>
#include <vector>

#include "core/record.h"
#include "engine/metronome.h"

namespace loadline {

struct ArrivalErrors {
  std::vector<double> ttft_ms;             ///< arrival of the first token minus the end of the write that held it
  std::vector<double> gap_ms;              ///< absolute: gap seen between two writes minus the gap between their ends
  std::vector<double> engine_lateness_ms;  ///< begin of a write minus when it was due
};

/// Of the requests due in the window. Requests and stamps are matched by plan_index and StreamStamps::request; what was
/// sent twice is left out. Events of one write count once, by the first of them.
ArrivalErrors arrival_errors(const LevelRecords& records, std::span<const StreamStamps> stamps);

}  // namespace loadline
