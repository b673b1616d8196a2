#include "trace/litellm.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule litellm_rules[] = {
    {"startTime", LogField::arrival, std::chrono::seconds(1)},
    {"endTime", LogField::end, std::chrono::seconds(1)},
    {"prompt_tokens", LogField::prompt},
    {"completion_tokens", LogField::completion},
    {"metadata.usage_object.prompt_tokens_details.cached_tokens", LogField::cached},
    {"model_parameters.max_completion_tokens", LogField::max_completion},
    {"model_parameters.max_tokens", LogField::max_completion},
    {"session_id", LogField::session},
    {"trace_id", LogField::session},
    {"end_user", LogField::client},
    {"api_key", LogField::client},
    {"metadata.user_api_key_hash", LogField::client},
    {"call_type", LogField::kind},
    {"cache_hit", LogField::gateway_answered},
    {"status", LogField::outcome},
    {"metadata.status", LogField::outcome},
    {"messages", LogField::prompt_text},
};

/// "acompletion", "atext_completion", "aresponses", "anthropic_messages", ..., but not what makes no text.
bool is_litellm_request(std::string_view call_type, bool has_lengths) {
  for (const std::string_view other : {"embedding", "image", "speech", "transcription", "moderation", "rerank"}) {
    if (call_type.find(other) != std::string_view::npos) return false;
  }
  return has_lengths || call_type.find("completion") != std::string_view::npos ||
         call_type.find("response") != std::string_view::npos || call_type.find("message") != std::string_view::npos ||
         call_type.find("generate") != std::string_view::npos ||
         call_type.find("pass_through") != std::string_view::npos;
}

}  // namespace

bool is_litellm_spend_log(const LogHead& head) {
  if (!is_json_log(head)) {
    return has_all_csv_columns(head.first_line(), {"spend", "call_type", "startTime", "prompt_tokens"});
  }
  return has_all_json_keys(head.text(), {"spend", "call_type", "startTime", "prompt_tokens"});
}

bool is_litellm_logging(const LogHead& head) {
  return is_json_log(head) &&
         has_all_json_keys(head.text(), {"response_cost", "call_type", "startTime", "prompt_tokens"});
}

void read_litellm(TextWindow& window, TraceBuilder& builder) {
  read_record_log(window, builder, {.rules = litellm_rules, .is_request = is_litellm_request});
}

}  // namespace loadline
