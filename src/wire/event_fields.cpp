#include "wire/event_fields.h"

namespace loadline {

using json::Kind;
using json::Value;

std::string_view text_where_wanted(Value& value, const EventFields& fields) {
  if (fields.text != nullptr) return json::text_of(value);
  (void)value.get_raw_json_string();
  return {};
}

bool take_text(Value& value, EventFields& fields) {
  if (!json::is_text(value)) return false;
  const std::string_view text = text_where_wanted(value, fields);
  if (fields.text != nullptr) fields.text->append(text);
  return true;
}

void take_answer(Value& value, EventFields& fields) {
  if (!take_text(value, fields)) return;
  fields.event.carries_output = true;
  fields.event.carries_answer = true;
}

void take_other(Value& value, EventFields& fields) { fields.event.carries_output |= take_text(value, fields); }

bool read_error(Value& value, std::string& words) {
  const Kind kind = json::kind_of(value);
  if (kind == Kind::null || (kind == Kind::boolean && !json::is_true(value))) return false;
  if (kind == Kind::string) {
    words = json::text_of(value);
  } else if (kind == Kind::object) {
    json::for_each_field(value, [&](std::string_view key, Value& inner) {
      if (key == "message") words = json::text_of(inner);
    });
  }
  return true;
}

void take_finish_reason(Value& value, EventFields& fields) {
  if (!json::is_text(value)) return;
  fields.event.finished = true;
  const std::string_view reason = json::text_of(value);
  if (reason != "abort" && reason != "error") return;
  fields.event.is_error = true;
  if (fields.error_words.empty()) {
    fields.error_words.assign("the server ended the answer with the reason '").append(reason).append("'");
  }
}

}  // namespace loadline
