#pragma once
// Final responses of Ollama's /api/chat and /api/generate, kept as JSON lines. `created_at` is the end and
// `total_duration` is in nanoseconds. `prompt_eval_count` is left out where it would be 0 (the whole prompt was
// cached): the prompt's length is then unknown.

#include "trace/format.h"

namespace loadline {

bool is_ollama_responses(const LogHead& head);
void read_ollama_responses(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
