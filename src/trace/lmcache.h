#pragma once
// LMCache's traces of agents: JSON lines with `timestamp` (microseconds after 1970, of the request's start), `input`
// and `output` as text, and `session_id`. Lines are not always in order of time.

#include "trace/format.h"

namespace loadline {

bool is_lmcache(const LogHead& head);
void read_lmcache(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
