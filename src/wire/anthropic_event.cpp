// Anthropic messages: message_start tells the prompt's tokens, content_block_start a tool's name, content_block_delta
// the output, message_delta why it ended and the output's tokens so far, message_stop the end. What a field means does
// not depend on the event's type, but for the first count: message_start counts output before there is any.
#include "wire/event_fields.h"

namespace loadline {
namespace {

using json::Kind;
using json::Value;

void read_counts(Value& value, EventFields& fields, bool at_start) {
  Usage usage;
  std::int64_t beside_input = 0;
  json::for_each_field(value, [&](std::string_view key, Value& inner) {
    const std::optional<std::int64_t> count = json::count_of(inner);
    if (key == "input_tokens") usage.prompt_tokens = count;
    if (key == "output_tokens" && !at_start) usage.completion_tokens = count;
    if (key == "cache_read_input_tokens") usage.cached_tokens = count;
    if (key == "cache_read_input_tokens" || key == "cache_creation_input_tokens") beside_input += count.value_or(0);
  });
  if (usage.prompt_tokens) *usage.prompt_tokens += beside_input;  // the three are told apart, the prompt is all
  if (usage.any()) fields.event.usage = usage;
}

/// A content block, its delta, or the delta of the message. A signature is none of the model's tokens.
void read_content(Value& value, EventFields& fields) {
  json::for_each_field(value, [&](std::string_view key, Value& inner) {
    if (key == "text") {
      take_answer(inner, fields);
    } else if (key == "thinking" || key == "partial_json" || key == "name" || key == "data") {
      take_other(inner, fields);
    } else if (key == "stop_reason") {
      take_finish_reason(inner, fields);
    }
  });
}

}  // namespace

bool read_anthropic_field(std::string_view key, Value& value, EventFields& fields) {
  if (key == "delta" || key == "content_block") {
    read_content(value, fields);
  } else if (key == "usage") {
    read_counts(value, fields, false);
  } else if (key == "message" && json::kind_of(value) == Kind::object) {
    json::for_each_field(value, [&](std::string_view inner_key, Value& inner) {
      if (inner_key == "usage") read_counts(inner, fields, true);
    });
  } else if (key == "content" && fields.whole) {
    json::for_each_element(value, [&](Value& block) { read_content(block, fields); });
  } else if (key == "stop_reason") {
    take_finish_reason(value, fields);
  } else {
    return false;
  }
  return true;
}

void end_anthropic(EventFields& fields) { fields.event.done |= fields.type == "message_stop"; }

}  // namespace loadline
