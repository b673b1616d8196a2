#include "trace/nginx_usage.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule nginx_rules[] = {
    {"time", LogField::end, std::chrono::seconds(1)},
    {"msec", LogField::end, std::chrono::seconds(1)},
    {"time_iso8601", LogField::end},
    {"request_time", LogField::duration, std::chrono::seconds(1)},
    {"x_prompt_tokens", LogField::prompt},
    {"prompt_tokens", LogField::prompt},
    {"upstream_http_x_prompt_tokens", LogField::prompt},
    {"x_generated_tokens", LogField::completion},
    {"x_completion_tokens", LogField::completion},
    {"completion_tokens", LogField::completion},
    {"generated_tokens", LogField::completion},
    {"upstream_http_x_generated_tokens", LogField::completion},
    {"x_session_id", LogField::session},
    {"session_id", LogField::session},
    {"http_x_session_id", LogField::session},
    {"status", LogField::status},
    {"uri", LogField::kind},
    {"request_uri", LogField::kind},
    {"request", LogField::kind},
};

}  // namespace

bool is_nginx_usage(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    return line.starts_with('{') && has_json_key(line, "request_time") &&
           has_any_json_key(line, {"time", "msec", "time_iso8601"}) &&
           has_any_json_key(line, {"x_prompt_tokens", "prompt_tokens", "upstream_http_x_prompt_tokens"});
  });
}

void read_nginx_usage(TextWindow& window, TraceBuilder& builder) {
  read_record_log(window, builder, {.rules = nginx_rules, .is_request = is_generation_path});
}

}  // namespace loadline
