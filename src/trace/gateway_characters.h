#pragma once
// Gateways that count no tokens, but characters of prompts and completions, as JSON lines or CSV: lengths are
// estimated.

#include "trace/format.h"

namespace loadline {

bool is_gateway_characters(const LogHead& head);
void read_gateway_characters(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
