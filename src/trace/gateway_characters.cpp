#include "trace/gateway_characters.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule characters_rules[] = {
    {"ts", LogField::arrival},
    {"timestamp", LogField::arrival},
    {"time", LogField::arrival},
    {"prompt_chars", LogField::prompt_characters},
    {"completion_chars", LogField::completion_characters},
    {"prompt_tokens", LogField::prompt},  // some rows may have them: they calibrate the others
    {"completion_tokens", LogField::completion},
    {"session_id", LogField::session},
    {"status", LogField::status},
    {"path", LogField::kind},
};

}  // namespace

bool is_gateway_characters(const LogHead& head) {
  if (!is_json_log(head)) return has_all_csv_columns(head.first_line(), {"prompt_chars", "completion_chars"});
  return has_all_json_keys(head.text(), {"prompt_chars", "completion_chars"}) &&
         has_any_json_key(head.text(), {"ts", "timestamp", "time"});
}

void read_gateway_characters(TextWindow& window, TraceBuilder& builder) {
  read_record_log(window, builder, {.rules = characters_rules, .bare_zone = "local", .is_request = is_generation_path});
}

}  // namespace loadline
