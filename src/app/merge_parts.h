#pragma once
// Parts that `loadline trace stats --part` wrote, put together: what `loadline trace merge` does with them.

#include <cstdint>
#include <string>
#include <vector>

#include "app/log_summary.h"

namespace loadline {

/// `one_log`: the user says that the parts are pieces of one file. Throws Error for a part that cannot be read, for two
/// of one log file or of two formats, and, without `one_log`, for parts of a format whose files each have a clock and
/// ids of their own. Where a cut between the parts may have separated what belongs together, a remark says so.
LogSummary merge_parts(const std::vector<std::string>& files, std::uint64_t memory_bytes, bool one_log);

/// Throws Error where `files` are neither all parts nor all canonical traces, naming the one that is neither, and where
/// one is named twice. True: parts.
bool are_parts(const std::vector<std::string>& files);

}  // namespace loadline
