#pragma once
// Logs that engines write and that hold no lengths: told apart only so that their owners hear what to log instead.

#include "trace/format.h"

namespace loadline {

/// vLLM's own log, with or without --enable-log-requests.
bool is_vllm_log(const LogHead& head);
/// The access log of Ollama's server.
bool is_ollama_log(const LogHead& head);
/// The router of text-generation-inference, as text or as JSON.
bool is_tgi_log(const LogHead& head);

}  // namespace loadline
