// OpenAI responses: every event names its type, often as its last field. Output comes in the events "...delta"; what
// the events "...done" and "response.completed" repeat is none.
#include "wire/event_fields.h"

namespace loadline {
namespace {

using json::Value;

void read_parts(Value& parts, EventFields& fields, bool is_answer) {
  json::for_each_element(parts, [&](Value& part) {
    json::for_each_field(part, [&](std::string_view key, Value& inner) {
      if (key == "text" || key == "refusal") is_answer ? take_answer(inner, fields) : take_other(inner, fields);
    });
  });
}

/// An item of a whole answer: a message with content, reasoning with a summary or content, or a call.
void read_item(Value& item, EventFields& fields) {
  bool is_reasoning = false;
  json::for_each_field(item, [&](std::string_view key, Value& inner) {
    if (key == "type") {
      is_reasoning = json::text_of(inner) == "reasoning";
    } else if (key == "content") {
      read_parts(inner, fields, !is_reasoning);
    } else if (key == "summary") {
      read_parts(inner, fields, false);
    } else if (key == "name" || key == "arguments" || key == "input") {
      take_other(inner, fields);
    }
  });
}

/// The response itself: inside some events, and all of a whole answer.
bool read_response_field(std::string_view key, Value& value, EventFields& fields) {
  StreamEvent& event = fields.event;
  if (key == "usage") {
    read_usage(value, fields);
  } else if (key == "error") {
    event.is_error |= read_error(value, fields.error_words);
  } else if (key == "status") {
    event.is_error |= json::text_of(value) == "failed";
  } else if (key == "output" && fields.whole) {
    json::for_each_element(value, [&](Value& item) { read_item(item, fields); });
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool read_responses_field(std::string_view key, Value& value, EventFields& fields) {
  if (key == "delta") {
    fields.has_delta = json::is_text(value);
    if (fields.has_delta) fields.delta = text_where_wanted(value, fields);
  } else if (key == "item") {
    json::for_each_field(value, [&](std::string_view inner_key, Value& inner) {
      if (inner_key != "name" || !json::is_text(inner)) return;
      fields.has_name = true;
      fields.delta = text_where_wanted(inner, fields);
    });
  } else if (key == "response") {
    json::for_each_field(
        value, [&](std::string_view inner_key, Value& inner) { read_response_field(inner_key, inner, fields); });
  } else {
    return read_response_field(key, value, fields);
  }
  return true;
}

void end_responses(EventFields& fields) {
  StreamEvent& event = fields.event;
  const std::string_view type = fields.type;
  const bool is_delta = fields.has_delta && type.ends_with(".delta");
  const bool is_call = fields.has_name && type == "response.output_item.added";
  if (is_delta || is_call) {
    event.carries_output = true;
    event.carries_answer = type == "response.output_text.delta" || type == "response.refusal.delta";
    if (fields.text != nullptr) fields.text->append(fields.delta);
  }
  const bool is_end = type == "response.completed" || type == "response.incomplete" || type == "response.failed";
  event.finished |= is_end;
  event.done |= is_end;
  event.is_error |= type == "response.failed";
}

}  // namespace loadline
