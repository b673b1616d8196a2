#pragma once
// Response bodies of an OpenAI-compatible API, kept as JSON lines: chat completions, text completions, objects of the
// responses API, and results of its batches. `created` is the end, in seconds, and no duration is logged: arrivals are
// unknown.

#include "trace/format.h"

namespace loadline {

bool is_openai_responses(const LogHead& head);
void read_openai_responses(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
