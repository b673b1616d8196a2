// Logs of what stands before the engines: gateways, proxies, tracing services.
#include <vector>

#include "trace/envoy_ai_gateway.h"
#include "trace/evalscope_trace.h"
#include "trace/format.h"
#include "trace/gateway_characters.h"
#include "trace/gateway_logs_without_lengths.h"
#include "trace/helicone.h"
#include "trace/langfuse.h"
#include "trace/litellm.h"
#include "trace/nginx_usage.h"
#include "trace/ollama_responses.h"
#include "trace/openai_responses.h"
#include "trace/sagemaker.h"

namespace loadline {

std::span<const TraceFormat> formats_of_gateways() {
  static const std::vector<TraceFormat> formats{
      {"litellm", "spend logs of the LiteLLM proxy, JSON or CSV", is_litellm_spend_log, read_litellm},
      {"litellm-logging", "standard logging payloads of the LiteLLM proxy, JSON lines", is_litellm_logging,
       read_litellm},
      {"langfuse", "observations of Langfuse, JSON or CSV", is_langfuse, read_langfuse},
      {"helicone", "requests exported from Helicone, JSON lines", is_helicone, read_helicone},
      {"envoy-ai-gateway", "access logs of the Envoy AI gateway with token counts, JSON lines", is_envoy_ai_gateway,
       read_envoy_ai_gateway},
      {"nginx-usage", "access logs of nginx with token counts from upstream headers, JSON lines", is_nginx_usage,
       read_nginx_usage},
      {"openai-responses", "response bodies of an OpenAI-compatible API, JSON lines", is_openai_responses,
       read_openai_responses},
      {"ollama-responses", "final responses of Ollama, JSON lines", is_ollama_responses, read_ollama_responses},
      {"sagemaker", "data capture of a SageMaker endpoint, JSON lines", is_sagemaker, read_sagemaker},
      {"evalscope-trace", "workload traces of evalscope, JSON lines with `timestamp`, `body` and `completion_tokens`",
       is_evalscope_trace, read_evalscope_trace},
      {"gateway-characters",
       "gateway logs that count characters, JSON lines or CSV with `prompt_chars` and "
       "`completion_chars`",
       is_gateway_characters, read_gateway_characters},
      {"openai-usage", "an export of OpenAI's usage API, sums per minute, hour or day", is_openai_usage, nullptr,
       FileScope::parts, instead_of_openai_usage},
      {"access-log", "a web server's access log, without token counts", is_access_log, nullptr, FileScope::parts,
       instead_of_access_log},
      {"bytes-log", "a gateway's log that counts only bytes", is_bytes_log, nullptr, FileScope::parts,
       instead_of_bytes_log},
  };
  return formats;
}

}  // namespace loadline
