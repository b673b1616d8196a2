#pragma once
// Which requests of a plan wait for a turn before them.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan.h"

namespace loadline {

/// A later turn of a session: no conversation goes on before its last answer.
struct WaitingTurn {
  std::uint32_t before = 0;      ///< the latest earlier request of its session: each is named at most once
  std::optional<Nanos> pause{};  ///< after the end of that one, as logged; absent: it comes at a time of its own
};

/// By request: the turn it waits for; absent for those that wait for none. `pauses`: those that the log tells are
/// honoured (negative ones count as none).
std::vector<std::optional<WaitingTurn>> turns_that_wait(const std::vector<Request>& requests, bool pauses);

}  // namespace loadline
