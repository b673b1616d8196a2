#include "trace/engine_logs_without_lengths.h"

namespace loadline {
namespace {

/// Texts in a data set may quote a log: that does not make it one.
bool is_json(const LogHead& head) { return head.first_line().starts_with('{') || head.first_line().starts_with("[{"); }

}  // namespace

bool is_vllm_log(const LogHead& head) {
  const bool requests = head.has("Received request ") && head.has("params: SamplingParams(");
  return !is_json(head) && (requests || head.has("Avg prompt throughput: "));
}

bool is_ollama_log(const LogHead& head) {
  return !is_json(head) && head.has("[GIN] ") &&
         (head.has("\"/api/chat\"") || head.has("\"/api/generate\"") || head.has("\"/v1/"));
}

bool is_tgi_log(const LogHead& head) {
  return head.has("text_generation_router") && head.has("inference_time") && head.has("time_per_token");
}

}  // namespace loadline
