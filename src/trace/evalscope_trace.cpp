#include "trace/evalscope_trace.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule evalscope_rules[] = {
    {"timestamp", LogField::arrival, std::chrono::seconds(1)},
    {"prompt_tokens", LogField::prompt},
    {"completion_tokens", LogField::completion},
    {"body.max_completion_tokens", LogField::max_completion},
    {"body.max_tokens", LogField::max_completion},
    {"headers.x-session-id", LogField::session},
    {"headers.X-Session-Id", LogField::session},
    {"headers.X-Session-ID", LogField::session},
    {"headers.session-id", LogField::session},
    {"headers.session_id", LogField::session},
    {"body.user", LogField::client},
    {"body.messages", LogField::prompt_text},
    {"body.prompt", LogField::prompt_text},
};

}  // namespace

bool is_evalscope_trace(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    return line.starts_with('{') && has_all_json_keys(line, {"timestamp", "body", "completion_tokens"}) &&
           has_any_json_key(line, {"messages", "prompt"});
  });
}

void read_evalscope_trace(TextWindow& window, TraceBuilder& builder) {
  read_record_log(window, builder, {.rules = evalscope_rules, .bare_zone = "local"});
}

}  // namespace loadline
