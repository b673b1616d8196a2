#include "trace/langfuse.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule langfuse_rules[] = {
    {"sessionId", LogField::session},
    {"session_id", LogField::session},
    {"traceId", LogField::session},
    {"trace_id", LogField::session},
    {"startTime", LogField::arrival},
    {"start_time", LogField::arrival},
    {"endTime", LogField::end},
    {"end_time", LogField::end},
    {"usageDetails.input", LogField::prompt},
    {"usage_details.input", LogField::prompt},
    {"usageDetails.input_*", LogField::prompt_part},
    {"usage_details.input_*", LogField::prompt_part},
    {"usageDetails.output", LogField::completion},
    {"usage_details.output", LogField::completion},
    {"usageDetails.output_*", LogField::completion_part},
    {"usage_details.output_*", LogField::completion_part},
    {"usageDetails.total", LogField::total},
    {"usage_details.total", LogField::total},
    {"usageDetails.input_cached_tokens", LogField::cached},
    {"usage_details.input_cached_tokens", LogField::cached},
    {"modelParameters.max_tokens", LogField::max_completion},
    {"model_parameters.max_tokens", LogField::max_completion},
    {"userId", LogField::client},
    {"user_id", LogField::client},
    {"type", LogField::kind},
    {"level", LogField::outcome},
    {"input", LogField::prompt_text},
    {"input.messages", LogField::prompt_text},
};
constexpr std::size_t session_rules = 2;  // the first ones; traces stand in for sessions behind them

bool is_generation(std::string_view type, bool) { return type == "GENERATION" || type == "generation"; }

}  // namespace

bool is_langfuse(const LogHead& head) {
  if (!is_json_log(head)) {
    return has_all_csv_columns(head.first_line(), {"type", "trace_id", "start_time", "usage_details"});
  }
  return has_all_json_keys(head.text(), {"type", "traceId", "startTime", "usageDetails"}) ||
         has_all_json_keys(head.text(), {"type", "trace_id", "start_time", "usage_details"});
}

void read_langfuse(TextWindow& window, TraceBuilder& builder) {
  const FieldsMet met = read_record_log(window, builder, {.rules = langfuse_rules, .is_request = is_generation});
  for (std::size_t i = 0; i < session_rules; ++i) {
    if (met.rules[i] == FieldsMet::State::filled) return;
  }
  builder.remark(
      "Observations name no session, so each Langfuse trace stands for one: conversations that span several traces are "
      "not seen as such.");
}

}  // namespace loadline
