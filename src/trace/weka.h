#pragma once
// Sessions of coding agents as WEKA published them and AIPerf reads them: one JSON object a session, with `id`,
// `block_size`, `hash_id_scope` and `requests`. A request has `in` and `out` tokens, `hash_ids` (floor(in / block size)
// of them: the tail has none) and `think_time`, seconds after the end of the request before. An entry of the type
// `subagent` holds requests of its own: a conversation beside its parent's, with ids of the parent's scope.
// Each session has a clock of its own (`t`), so the log has no arrivals.

#include "trace/format.h"

namespace loadline {

bool is_weka(const LogHead& head);
void read_weka(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
