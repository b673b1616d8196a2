#pragma once
// llama-server's log: the lines of a task, from the slot that takes it to the one that lets it go, are one request.
// "prompt eval time ... / N tokens" counts only what was not in the cache, so the prompt comes from its own line or
// from what the slot held at the end: n_tokens = prompt + completion - 1, since the last token is never fed back.

#include "trace/format.h"

namespace loadline {

bool is_llama_server_log(const LogHead& head);
void read_llama_server_log(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
