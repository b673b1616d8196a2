#pragma once
// Observations of Langfuse: from its API (a page {"data": [...]} or an array, camelCase) or its exports (CSV or JSON
// lines, snake_case, `usage_details` JSON in a cell). Only generations are requests. `startTime` is the arrival, in
// UTC. The details of a usage, such as input_cached_tokens, are what `input` leaves out, unless the total says
// otherwise.

#include "trace/format.h"

namespace loadline {

bool is_langfuse(const LogHead& head);
void read_langfuse(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
