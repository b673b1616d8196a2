// The engines' own interfaces: TGI, SGLang, llama-server, Ollama; and embeddings.
#include "wire/event_fields.h"

namespace loadline {
namespace {

using json::Kind;
using json::Value;

Usage& usage_in(StreamEvent& event) {
  if (!event.usage) event.usage.emplace();
  return *event.usage;
}

void tell(StreamEvent& event, std::optional<std::int64_t> Usage::* field, Value& value) {
  if (const std::optional<std::int64_t> count = json::count_of(value)) usage_in(event).*field = count;
}

void read_tgi_token(Value& token, EventFields& fields) {
  if (json::kind_of(token) != Kind::object) return;
  fields.event.token_ids = 1;  // every event is exactly one, also where it has no text
  fields.event.carries_output = true;
  bool is_special = false;
  std::string_view text;
  json::for_each_field(token, [&](std::string_view key, Value& inner) {
    if (key == "text") text = json::text_of(inner);
    if (key == "special") is_special = json::is_true(inner);
  });
  if (is_special || text.empty()) return;
  fields.event.carries_answer = true;
  if (fields.text != nullptr) fields.text->append(text);
}

void read_sglang_counts(Value& value, EventFields& fields) {
  StreamEvent& event = fields.event;
  json::for_each_field(value, [&](std::string_view key, Value& inner) {
    if (key == "prompt_tokens") tell(event, &Usage::prompt_tokens, inner);
    if (key == "completion_tokens") tell(event, &Usage::completion_tokens, inner);
    if (key == "cached_tokens") tell(event, &Usage::cached_tokens, inner);
    if (key == "reasoning_tokens") tell(event, &Usage::reasoning_tokens, inner);
    if (key != "finish_reason") return;
    if (json::kind_of(inner) != Kind::object) return take_finish_reason(inner, fields);
    json::for_each_field(inner, [&](std::string_view reason_key, Value& reason) {
      if (reason_key == "message" && json::is_text(reason)) fields.error_words = json::text_of(reason);
      if (reason_key == "type") take_finish_reason(reason, fields);
    });
  });
}

void read_ollama_message(Value& value, EventFields& fields) {
  json::for_each_field(value, [&](std::string_view key, Value& inner) {
    if (key == "content") take_answer(inner, fields);
    if (key == "thinking") take_other(inner, fields);
    if (key != "tool_calls") return;
    json::for_each_element(inner, [&](Value& call) {
      json::for_each_field(call, [&](std::string_view call_key, Value& function) {
        if (call_key != "function") return;
        json::for_each_field(function, [&](std::string_view function_key, Value& name) {
          if (function_key == "name") take_other(name, fields);
        });
      });
    });
  });
}

/// A vector as numbers or as base64, or an array of such.
bool is_vector(Value& value) { return json::is_text(value) || json::length_of(value).value_or(0) > 0; }

}  // namespace

// The last event has the token, the whole text and, where they were asked for, the counts.
bool read_tgi_field(std::string_view key, Value& value, EventFields& fields) {
  StreamEvent& event = fields.event;
  if (key == "token") {
    read_tgi_token(value, fields);
  } else if (key == "generated_text") {
    event.finished |= json::kind_of(value) == Kind::string;
    event.done |= event.finished;
    if (fields.whole) take_answer(value, fields);
  } else if (key == "details") {
    json::for_each_field(value, [&](std::string_view detail, Value& inner) {
      if (detail == "generated_tokens") tell(event, &Usage::completion_tokens, inner);
      if (detail == "input_length") tell(event, &Usage::prompt_tokens, inner);
      const std::optional<std::uint32_t> prompt = detail == "prefill" ? json::length_of(inner) : std::nullopt;
      if (prompt.value_or(0) > 0) usage_in(event).prompt_tokens = *prompt;
    });
  } else {
    return false;
  }
  return true;
}

bool read_sglang_field(std::string_view key, Value& value, EventFields& fields) {
  if (key == "text") {
    fields.text_so_far = json::text_of(value);
  } else if (key == "output_ids") {
    fields.ids_told = json::length_of(value);
  } else if (key == "meta_info") {
    read_sglang_counts(value, fields);
  } else {
    return false;
  }
  return true;
}

// Text and ids are those so far, or, where the server was told to, those of the event alone: the count says which. It
// counts on in any case, so that it alone tells what is new.
void end_sglang(EventFields& fields) {
  StreamEvent& event = fields.event;
  const bool is_counted = event.usage && event.usage->completion_tokens;
  const bool has_text = !fields.text_so_far.empty();
  event.counts_on = is_counted;
  event.carries_answer = has_text;
  event.carries_output = (fields.whole || !is_counted) && (has_text || fields.ids_told.value_or(0) > 0);
  if (fields.text == nullptr || !has_text) return;
  const bool is_part = is_counted && fields.ids_told && *fields.ids_told < *event.usage->completion_tokens;
  if (!is_part && fields.text_so_far.starts_with(*fields.text)) {
    *fields.text = fields.text_so_far;
  } else {
    fields.text->append(fields.text_so_far);
  }
}

// tokens_cached is what the cache holds afterwards; the prompt's hits are cache_n of the timings.
bool read_llamacpp_field(std::string_view key, Value& value, EventFields& fields) {
  StreamEvent& event = fields.event;
  if (key == "content") {
    take_answer(value, fields);
  } else if (key == "tokens") {
    event.carries_output |= json::length_of(value).value_or(0) > 0;
  } else if (key == "stop") {
    event.finished |= json::is_true(value);
  } else if (key == "tokens_predicted") {
    tell(event, &Usage::completion_tokens, value);
  } else if (key == "tokens_evaluated") {
    tell(event, &Usage::prompt_tokens, value);
  } else if (key == "timings") {
    json::for_each_field(value, [&](std::string_view timing, Value& inner) {
      if (timing == "cache_n") tell(event, &Usage::cached_tokens, inner);
    });
  } else {
    return false;
  }
  return true;
}

void end_llamacpp(EventFields& fields) {
  StreamEvent& event = fields.event;
  event.done |= event.finished;
  event.counts_on = event.usage && event.usage->completion_tokens;
}

bool read_ollama_field(std::string_view key, Value& value, EventFields& fields) {
  StreamEvent& event = fields.event;
  if (key == "message" && json::kind_of(value) == Kind::object) {
    read_ollama_message(value, fields);
  } else if (key == "response") {
    take_answer(value, fields);
  } else if (key == "thinking") {
    take_other(value, fields);
  } else if (key == "done") {
    event.finished |= json::is_true(value);
    event.done |= event.finished;
  } else if (key == "prompt_eval_count") {
    tell(event, &Usage::prompt_tokens, value);
  } else if (key == "eval_count") {
    tell(event, &Usage::completion_tokens, value);
  } else {
    return false;
  }
  return true;
}

// OpenAI's data[].embedding, or the "embeddings" of Ollama and others.
bool read_embeddings_field(std::string_view key, Value& value, EventFields& fields) {
  StreamEvent& event = fields.event;
  if (key == "data") {
    json::for_each_element(value, [&](Value& item) {
      json::for_each_field(item, [&](std::string_view item_key, Value& vector) {
        if (item_key == "embedding") event.carries_output |= is_vector(vector);
      });
    });
  } else if (key == "embeddings" || key == "embedding") {
    event.carries_output |= is_vector(value);
  } else if (key == "prompt_eval_count") {
    tell(event, &Usage::prompt_tokens, value);
  } else if (key == "usage") {
    read_usage(value, fields);
    if (event.usage) event.usage->completion_tokens.reset();
  } else {
    return false;
  }
  return true;
}

}  // namespace loadline
