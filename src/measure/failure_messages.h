#pragma once
// What was said of the failed requests of a level.

#include <vector>

#include "core/level_result.h"

namespace loadline {

/// The messages of failed and unsent requests by outcome, the most frequent first, at most 10 of them.
std::vector<FailureMessage> failure_messages(const LevelRecords& records);

}  // namespace loadline
