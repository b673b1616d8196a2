#pragma once
// Which requests belong together, in numbers.

#include <optional>

#include "core/trace.h"
#include "core/trace_stats.h"

namespace loadline {

/// Of the sessions that the log declares; absent where it declares none. Think times are the logged pauses between the
/// end of one turn and the next; a log that has none of them gives none, since arrivals alone do not tell when an
/// answer ended.
std::optional<SessionStats> describe_sessions(const Trace& trace);

}  // namespace loadline
