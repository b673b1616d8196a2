#include "trace/helicone.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule helicone_rules[] = {
    {"request_created_at", LogField::arrival},
    {"delay_ms", LogField::duration, std::chrono::milliseconds(1)},
    {"prompt_tokens", LogField::prompt},
    {"completion_tokens", LogField::completion},
    {"prompt_cache_read_tokens", LogField::cached},
    {"request_body.max_completion_tokens", LogField::max_completion},
    {"request_body.max_tokens", LogField::max_completion},
    {"request_properties.Helicone-Session-Id", LogField::session},
    {"properties.Helicone-Session-Id", LogField::session},
    {"request_user_id", LogField::client},
    {"response_status", LogField::status},
    {"request_path", LogField::kind},
    {"request_body.messages", LogField::prompt_text},
    {"request_body.prompt", LogField::prompt_text},
};

}  // namespace

bool is_helicone(const LogHead& head) {
  if (!is_json_log(head))
    return has_all_csv_columns(head.first_line(), {"request_created_at", "response_status", "prompt_tokens"});
  return has_all_json_keys(head.text(), {"request_created_at", "response_status", "prompt_tokens"});
}

void read_helicone(TextWindow& window, TraceBuilder& builder) {
  read_record_log(window, builder, {.rules = helicone_rules, .is_request = is_generation_path});
}

}  // namespace loadline
