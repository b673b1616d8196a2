#pragma once
// What gateways and providers log that no workload can be had from: recognised, to say what to log instead.

#include "trace/format.h"

namespace loadline {

/// Sums per minute, hour or day of OpenAI's usage API.
bool is_openai_usage(const LogHead& head);
inline constexpr std::string_view instead_of_openai_usage =
    "sums of many requests do not say how long any one was, nor which prompt had which completion; keep the `usage` of "
    "every response instead (LiteLLM's spend logs, Langfuse, Helicone or the Envoy AI gateway do), or the responses "
    "themselves as JSON lines";

/// The "common" and "combined" formats of web servers.
bool is_access_log(const LogHead& head);
inline constexpr std::string_view instead_of_access_log =
    "bytes of requests and of streamed responses are no lengths of text; add the token counts that the engine sends, to "
    "a JSON format of the log: log_format usage escape=json '{\"time\": \"$msec\", \"request_time\": \"$request_time\", "
    "\"status\": \"$status\", \"uri\": \"$uri\", \"x_prompt_tokens\": \"$upstream_http_x_prompt_tokens\", "
    "\"x_generated_tokens\": \"$upstream_http_x_generated_tokens\"}', or log at a gateway that counts tokens";

/// JSON lines that count bytes, and neither characters nor tokens.
bool is_bytes_log(const LogHead& head);
inline constexpr std::string_view instead_of_bytes_log =
    "a streamed response is mostly framing, so its bytes are no length of text; log the `usage` of every response "
    "(prompt_tokens and completion_tokens), or at least the characters of prompts and completions (prompt_chars, "
    "completion_chars)";

}  // namespace loadline
