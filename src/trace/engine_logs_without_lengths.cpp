#include "trace/engine_logs_without_lengths.h"

#include "core/error.h"

namespace loadline {
namespace {

bool head_has(const LogHead& head, std::string_view part) { return head.text().find(part) != std::string_view::npos; }

/// Texts in a data set may quote a log: that does not make it one.
bool is_json(const LogHead& head) { return head.first_line().starts_with('{') || head.first_line().starts_with("[{"); }

}  // namespace

bool is_vllm_log(const LogHead& head) {
  const bool requests = head_has(head, "Received request ") && head_has(head, "params: SamplingParams(");
  return !is_json(head) && (requests || head_has(head, "Avg prompt throughput: "));
}

bool is_ollama_log(const LogHead& head) {
  return !is_json(head) && head_has(head, "[GIN] ") &&
         (head_has(head, "\"/api/chat\"") || head_has(head, "\"/api/generate\"") || head_has(head, "\"/v1/"));
}

bool is_tgi_log(const LogHead& head) {
  return head_has(head, "text_generation_router") && head_has(head, "inference_time") &&
         head_has(head, "time_per_token");
}

void read_no_lengths(TextWindow&, TraceBuilder&) { check(false, "a log without lengths is not read"); }

}  // namespace loadline
