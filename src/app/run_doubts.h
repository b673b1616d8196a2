#pragma once
// The doubts that only the whole run shows.

#include "app/description.h"
#include "core/run_report.h"

namespace loadline {

/// Adds to report.doubts, and to the doubts of its levels what needs the run's context (cache).
void add_run_doubts(const RunDescription& description, RunReport& report);

}  // namespace loadline
