// chat.completion.chunk, text_completion and their whole answers: choices and usage. The order of the fields is the
// server's.
#include "wire/event_fields.h"

namespace loadline {
namespace {

using json::Kind;
using json::Value;

/// Text as a string, or as an array of parts that hold some ({"type": "text", "text": ...}).
bool take_text_or_parts(Value& value, EventFields& fields) {
  if (json::kind_of(value) != Kind::array) return take_text(value, fields);
  bool found = false;
  json::for_each_element(value, [&](Value& part) {
    json::for_each_field(part, [&](std::string_view key, Value& inner) {
      if (key == "text" || key == "summary" || key == "data") found |= take_text(inner, fields);
    });
  });
  return found;
}

void read_call(Value& function, EventFields& fields) {
  json::for_each_field(function, [&](std::string_view key, Value& inner) {
    if (key == "name" || key == "arguments") take_other(inner, fields);
  });
}

void read_tool_calls(Value& calls, EventFields& fields) {
  json::for_each_element(calls, [&](Value& call) {
    json::for_each_field(call, [&](std::string_view key, Value& inner) {
      if (key == "function") read_call(inner, fields);
    });
  });
}

/// The delta of a chunk, or the message of a whole answer. Some servers tell the reasoning twice, under the old name
/// and the new: it is text once.
void read_delta(Value& delta, EventFields& fields) {
  bool has_reasoning = false;
  json::for_each_field(delta, [&](std::string_view key, Value& value) {
    if (key == "content" || key == "refusal") {
      const bool is_answer = take_text_or_parts(value, fields);
      fields.event.carries_output |= is_answer;
      fields.event.carries_answer |= is_answer;
    } else if (key == "reasoning_content" || key == "reasoning" || key == "reasoning_details") {
      if (!has_reasoning) has_reasoning = take_text_or_parts(value, fields);
      fields.event.carries_output |= has_reasoning;
    } else if (key == "tool_calls") {
      read_tool_calls(value, fields);
    } else if (key == "function_call") {
      read_call(value, fields);
    }
  });
}

void read_token_ids(Value& ids, StreamEvent& event) {
  const std::optional<std::uint32_t> count = json::length_of(ids);
  if (!count) return;
  event.token_ids = event.token_ids.value_or(0) + *count;
  event.carries_output |= *count > 0;
}

void read_choice(Value& choice, EventFields& fields) {
  json::for_each_field(choice, [&](std::string_view key, Value& value) {
    fields.has_choice = true;
    if (key == "delta" || key == "message") {
      read_delta(value, fields);
    } else if (key == "text") {
      take_answer(value, fields);
    } else if (key == "finish_reason") {
      take_finish_reason(value, fields);
    } else if (key == "token_ids") {
      read_token_ids(value, fields.event);
    }
  });
}

}  // namespace

// Completions name the counts prompt_ and completion_, responses input_ and output_.
void read_usage(Value& value, EventFields& fields) {
  Usage usage;
  json::for_each_field(value, [&](std::string_view key, Value& inner) {
    if (key == "prompt_tokens" || key == "input_tokens") {
      usage.prompt_tokens = json::count_of(inner);
    } else if (key == "completion_tokens" || key == "output_tokens") {
      usage.completion_tokens = json::count_of(inner);
    } else if (key == "reasoning_tokens") {
      usage.reasoning_tokens = json::count_of(inner);
    } else if (key.ends_with("_tokens_details")) {
      json::for_each_field(inner, [&](std::string_view detail, Value& count) {
        if (detail == "cached_tokens") usage.cached_tokens = json::count_of(count);
        if (detail == "reasoning_tokens") usage.reasoning_tokens = json::count_of(count);
      });
    }
  });
  if (usage.any()) fields.event.usage = usage;
}

bool read_openai_field(std::string_view key, Value& value, EventFields& fields) {
  if (key == "choices") {
    json::for_each_element(value, [&](Value& choice) { read_choice(choice, fields); });
  } else if (key == "usage") {
    read_usage(value, fields);
  } else {
    return false;
  }
  return true;
}

// A usage beside a choice counts on (continuous_usage_stats); in an event of its own it is the sum at the end.
void end_openai(EventFields& fields) {
  StreamEvent& event = fields.event;
  event.counts_on = fields.has_choice && event.usage && event.usage->completion_tokens;
}

}  // namespace loadline
