#pragma once
// What the formats' readers fill while one event's fields are walked (stream_event.cpp), and what they share.

#include <string>
#include <string_view>

#include "wire/json_fields.h"
#include "wire/stream_event.h"

namespace loadline {

struct EventFields {
  StreamEvent& event;
  std::string& error_words;  ///< what StreamEvent::error_message will point into
  std::string* text;         ///< collects the text of all channels; null: nobody asks
  bool whole;                ///< a whole answer, not an event
  std::string_view type;     ///< of the framing, until the data names its own

  // Formats whose fields mean something only together keep them here until the object's end.
  bool has_choice = false, has_delta = false, has_name = false;
  std::string_view delta, text_so_far;
  std::optional<std::uint32_t> ids_told;
};

/// The text of a string that is not empty, where the text is wanted. Else the string is passed over all the same: what
/// is wrong with the JSON behind it is then found in both cases or in none.
std::string_view text_where_wanted(json::Value& value, const EventFields& fields);
/// Whether there is text; collects it.
bool take_text(json::Value& value, EventFields& fields);
/// Text of the answer itself.
void take_answer(json::Value& value, EventFields& fields);
/// Output that is not the answer: reasoning, a tool call.
void take_other(json::Value& value, EventFields& fields);
/// The counts that OpenAI's two interfaces, and whoever imitates them, tell.
void read_usage(json::Value& value, EventFields& fields);
/// The words of {"message": ...} (or a string) go to `words`. False for null and false: no error at all.
bool read_error(json::Value& value, std::string& words);
/// Why the server ended it: "abort" and "error" are errors, anything else that is text is an end.
void take_finish_reason(json::Value& value, EventFields& fields);

// One field of a format's object; false where the format does not know it. Then the object's end.
bool read_openai_field(std::string_view key, json::Value& value, EventFields& fields);
void end_openai(EventFields& fields);
bool read_responses_field(std::string_view key, json::Value& value, EventFields& fields);
void end_responses(EventFields& fields);
bool read_anthropic_field(std::string_view key, json::Value& value, EventFields& fields);
void end_anthropic(EventFields& fields);
bool read_tgi_field(std::string_view key, json::Value& value, EventFields& fields);
bool read_sglang_field(std::string_view key, json::Value& value, EventFields& fields);
void end_sglang(EventFields& fields);
bool read_llamacpp_field(std::string_view key, json::Value& value, EventFields& fields);
void end_llamacpp(EventFields& fields);
bool read_ollama_field(std::string_view key, json::Value& value, EventFields& fields);
bool read_embeddings_field(std::string_view key, json::Value& value, EventFields& fields);

}  // namespace loadline
