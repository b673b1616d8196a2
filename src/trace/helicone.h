#pragma once
// Requests exported from Helicone, JSON lines: `request_created_at` is the arrival, `prompt_tokens` include those read
// from the cache, the session is a request's property "Helicone-Session-Id".

#include "trace/format.h"

namespace loadline {

bool is_helicone(const LogHead& head);
void read_helicone(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
