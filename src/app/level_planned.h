#pragma once
// What the released requests of a level were by plan, beside their records.

#include "app/description.h"
#include "app/input.h"
#include "core/plan.h"
#include "core/record.h"
#include "core/workload.h"

namespace loadline {

/// What the released prompts share by plan, in the order in which they were sent and with what was sent before them,
/// how many of them differ, and how far they are from the log. `sends_log_text`: the prompts are the rows' own text.
/// `workload` is made that of the released requests.
LevelPlanned planned_of(const Input& input, const Plan& plan, const LevelRecords& records, bool sends_log_text,
                        Workload& workload);

}  // namespace loadline
