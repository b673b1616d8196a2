#pragma once
// A run folder, read again: the only way from run.sqlite to a report.

#include <optional>
#include <string>
#include <vector>

#include "core/level.h"
#include "core/run_report.h"

namespace loadline {

/// What is asked of the stored requests instead of what the run asked.
struct OtherQuestion {
  std::vector<std::string> slo, goodput;  ///< empty: as the run asked
  std::string window{};                   ///< "30s..120s" of each level's window; empty: all of it
};

/// The complete levels of `folder`, measured again, and what else the run stored. Levels that were interrupted are
/// left out, and the report says so. Error (exit 2) where the folder holds no readable run.
RunReport read_report(const std::string& folder, const OtherQuestion& other);

}  // namespace loadline
