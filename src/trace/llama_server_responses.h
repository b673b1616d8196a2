#pragma once
// Responses of llama-server, kept one a line: its `timings` tell what was cached, computed and generated.

#include "trace/format.h"

namespace loadline {

bool is_llama_server_responses(const LogHead& head);
void read_llama_server_responses(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
