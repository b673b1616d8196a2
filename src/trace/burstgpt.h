#pragma once
// The BurstGPT traces of a university's service: CSV with Timestamp (seconds after the start, arrivals), Model, Request
// tokens, Response tokens (0: the request failed), Log Type. The third release adds Session ID, empty for requests of
// the API, and Elapsed time.

#include "trace/format.h"

namespace loadline {

bool is_burstgpt(const LogHead& head);
void read_burstgpt(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
