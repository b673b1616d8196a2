#pragma once
// Logs of the LiteLLM proxy: its table of spend logs, exported as JSON or CSV (`startTime` as text in UTC, `metadata`
// an object or JSON in a cell), and the payloads of its standard logging (`startTime` in Unix seconds). Both stamp the
// arrival. `cache_hit` is LiteLLM's own cache of whole responses, not the prefix cache of an engine: a hit asked no
// model.

#include "trace/format.h"

namespace loadline {

bool is_litellm_spend_log(const LogHead& head);
bool is_litellm_logging(const LogHead& head);
void read_litellm(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
