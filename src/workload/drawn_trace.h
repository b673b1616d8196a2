#pragma once
// What was drawn, as a trace of its own: for other tools, and for the next run.

#include "core/trace.h"
#include "core/workload.h"

namespace loadline {

/// `workload`, drawn from `log`, in its order: lengths as drawn; of a replay arrivals; pauses, sessions and details as
/// the log has them; block ids anew from 0, equal where the drawn prompts share. A request drawn in a later pass over
/// the log shares nothing with the first, and its session is another: its name gets "#2", "#3", ....
Trace drawn_trace(const Workload& workload, const Trace& log);

}  // namespace loadline
