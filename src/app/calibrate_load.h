#pragma once
// Tries the client with one load, through the code of a run, against an engine whose own stamps are the truth.

#include <atomic>
#include <cstdint>

#include "app/calibrate_row.h"

namespace loadline {

/// Open files that the load needs: client and engine are one process.
std::uint64_t files_needed(const CalibrationLoad& load);

/// By `threads` I/O threads, at least one. Blocks for the warm-up and `duration`. The row is judged.
CalibrationRow try_load(const CalibrationLoad& load, Nanos duration, std::uint32_t threads,
                        const std::atomic<bool>& interrupted);

}  // namespace loadline
