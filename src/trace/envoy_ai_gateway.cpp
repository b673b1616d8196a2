#include "trace/envoy_ai_gateway.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule envoy_rules[] = {
    {"start_time", LogField::arrival},
    {"duration", LogField::duration, std::chrono::milliseconds(1)},
    {"gen_ai.usage.input_tokens", LogField::prompt},
    {"llm_input_token", LogField::prompt},
    {"llm_input_tokens", LogField::prompt},
    {"gen_ai.usage.output_tokens", LogField::completion},
    {"llm_output_token", LogField::completion},
    {"llm_output_tokens", LogField::completion},
    {"gen_ai.usage.cache_read.input_tokens", LogField::cached},
    {"gen_ai.usage.cached_input_tokens", LogField::cached},
    {"llm_cached_input_token", LogField::cached},
    {"llm_cached_input_tokens", LogField::cached},
    {"session.id", LogField::session},
    {"session_id", LogField::session},
    {"x-session-id", LogField::session},
    {"user.id", LogField::client},
    {"x-user-id", LogField::client},
    {"response_code", LogField::status},
    {"x-envoy-origin-path", LogField::kind},
    {"path", LogField::kind},
};

}  // namespace

bool is_envoy_ai_gateway(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    return line.starts_with('{') && has_json_key(line, "start_time") &&
           has_any_json_key(line, {"response_code", "response_flags", "x-envoy-origin-path"}) &&
           has_any_json_key(line, {"gen_ai.usage.input_tokens", "llm_input_token", "llm_input_tokens"});
  });
}

void read_envoy_ai_gateway(TextWindow& window, TraceBuilder& builder) {
  read_record_log(window, builder, {.rules = envoy_rules, .is_request = is_generation_path});
}

}  // namespace loadline
