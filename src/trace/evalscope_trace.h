#pragma once
// Workload traces of evalscope, JSON lines: the bodies of requests with their times (seconds, or text) and the tokens
// of their completions. Prompts are text: their lengths are estimated, or counted by whom they are sent to.

#include "trace/format.h"

namespace loadline {

bool is_evalscope_trace(const LogHead& head);
void read_evalscope_trace(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
