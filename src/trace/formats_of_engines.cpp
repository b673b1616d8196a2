// Logs that inference engines write.
#include <vector>

#include "trace/engine_logs_without_lengths.h"
#include "trace/format.h"
#include "trace/llama_server_log.h"
#include "trace/llama_server_responses.h"
#include "trace/otel_flat.h"
#include "trace/otlp.h"
#include "trace/sglang_log.h"

namespace loadline {

std::span<const TraceFormat> formats_of_engines() {
  static const std::vector<TraceFormat> formats{
      {"vllm-otlp", "OTLP JSON with the spans of vLLM", is_vllm_otlp, read_otlp},
      {"sglang-otlp", "OTLP JSON with the spans of SGLang", is_sglang_otlp, read_otlp},
      {"otel-genai", "OTLP JSON with spans of OpenTelemetry's GenAI conventions", is_otlp, read_otlp},
      {"otel-flat", "spans of OpenTelemetry's GenAI conventions as plain JSON", is_otel_flat, read_otel_flat},
      {"sglang-log",
       "requests that SGLang logged as JSON, received and finished",
       is_sglang_json_log,
       read_sglang_json_log,
       FileScope::parts,
       {},
       RowScope::after_others},
      {"sglang-log-text",
       "requests that SGLang logged as text, received and finished",
       is_sglang_text_log,
       read_sglang_text_log,
       FileScope::parts,
       {},
       RowScope::after_others},
      {"llama-server-log",
       "llama-server's log",
       is_llama_server_log,
       read_llama_server_log,
       FileScope::alone,
       {},
       RowScope::after_others},
      {"llama-server-responses", "responses of llama-server, with `timings`", is_llama_server_responses,
       read_llama_server_responses},
      {"vllm-log", "vLLM's own log", is_vllm_log, nullptr, FileScope::parts,
       "it holds no lengths of prompts or completions: start vLLM with --otlp-traces-endpoint, let an OpenTelemetry "
       "collector write the spans to a file, and read that"},
      {"ollama-log", "an access log of Ollama", is_ollama_log, nullptr, FileScope::parts,
       "it counts no tokens: keep the responses, which hold prompt_eval_count and eval_count, one a line, or log at a "
       "gateway in front of it"},
      {"tgi-log", "a log of text-generation-inference's router", is_tgi_log, nullptr, FileScope::parts,
       "it holds no prompt lengths: log the headers x-prompt-tokens and x-generated-tokens at a proxy in front of it, "
       "or log at a gateway"},
  };
  return formats;
}

}  // namespace loadline
