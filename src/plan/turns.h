#pragma once
// Which requests of a plan wait for a turn before them.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan.h"

namespace loadline {

/// By request: the turn before of its session and the pause after that; absent for those that come by themselves. A
/// request names the latest earlier one of its session, so each is named at most once.
///
/// Closed loop: every later turn of a session, without a pause. Open loop: those whose pause the log tells (negative
/// ones count as none); the others come at a time of their own.
std::vector<std::optional<AfterTurn>> turns_that_wait(const std::vector<Request>& requests, LevelKind kind);

}  // namespace loadline
