#pragma once
// Access logs of the Envoy AI gateway, JSON lines. Their names are the operator's choice; those of its documentation
// and examples are known here, others are named with --map. `start_time` is the arrival. Missing values are null or
// "-".

#include "trace/format.h"

namespace loadline {

bool is_envoy_ai_gateway(const LogHead& head);
void read_envoy_ai_gateway(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
