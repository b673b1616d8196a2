// simdjson's on-demand parser walks the payload once, field by field, in whatever order the server wrote them.
// Values that are skipped are not validated: a stream is measured, not linted.
#include "wire/openai_event.h"

#include <simdjson.h>

#include <algorithm>

#include "core/token_limits.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;
using Value = ondemand::value;
using Kind = ondemand::json_type;

Kind kind_of(Value& value) {
  Kind kind = Kind::null;
  if (value.type().get(kind) != simdjson::SUCCESS) return Kind::null;
  return kind;
}

/// A string with at least one character. `"` ends the raw form of an empty one: no unescaping is needed to know.
bool is_text(Value& value) {
  if (kind_of(value) != Kind::string) return false;
  const std::string_view raw = value.raw_json_token();
  return raw.size() >= 2 && raw[1] != '"';
}

/// The whole string, unescaped; empty where the value is something else.
std::string_view text_of(Value& value) {
  std::string_view text;
  if (kind_of(value) == Kind::string && value.get_string().get(text) == simdjson::SUCCESS) return text;
  return {};
}

std::optional<std::int64_t> count_of(Value& value) {
  std::int64_t count = 0;
  if (kind_of(value) != Kind::number || value.get_int64().get(count) != simdjson::SUCCESS) return std::nullopt;
  return count >= 0 && count <= most_tokens_told ? std::optional(count) : std::nullopt;
}

/// Calls `use(key, value)` for each field. False when the JSON breaks off or is wrong.
template <class Use>
bool for_each_field(ondemand::object& object, Use use) {
  for (auto field : object) {
    std::string_view key;
    Value inner;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(inner) != simdjson::SUCCESS)
      return false;
    use(key, inner);
  }
  return true;
}

/// The same for any value; one that is not an object has no fields.
template <class Use>
bool for_each_field(Value& value, Use use) {
  if (kind_of(value) != Kind::object) return true;
  ondemand::object object;
  return value.get_object().get(object) == simdjson::SUCCESS && for_each_field(object, use);
}

template <class Use>
bool for_each_element(Value& value, Use use) {
  if (kind_of(value) != Kind::array) return true;
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return false;
  for (auto element : array) {
    Value inner;
    if (element.get(inner) != simdjson::SUCCESS) return false;
    use(inner);
  }
  return true;
}

/// Text as a string, or as an array of parts that hold some ({"type": "text", "text": ...}).
bool is_text_or_parts(Value& value) {
  if (kind_of(value) != Kind::array) return is_text(value);
  bool found = false;
  for_each_element(value, [&](Value& part) {
    for_each_field(part, [&](std::string_view key, Value& inner) {
      if (key == "text" || key == "summary" || key == "data") found |= is_text(inner);
    });
  });
  return found;
}

bool is_call(Value& function) {
  bool found = false;
  for_each_field(function, [&](std::string_view key, Value& inner) {
    if (key == "name" || key == "arguments") found |= is_text(inner);
  });
  return found;
}

bool has_tool_call(Value& calls) {
  bool found = false;
  for_each_element(calls, [&](Value& call) {
    for_each_field(call, [&](std::string_view key, Value& inner) {
      if (key == "function") found |= is_call(inner);
    });
  });
  return found;
}

void read_delta(Value& delta, OpenAiEvent& event) {
  for_each_field(delta, [&](std::string_view key, Value& value) {
    if (key == "content" || key == "refusal") {
      const bool text = is_text_or_parts(value);
      event.carries_output |= text;
      event.carries_answer |= text;
    } else if (key == "reasoning_content" || key == "reasoning" || key == "reasoning_details") {
      event.carries_output |= is_text_or_parts(value);
    } else if (key == "tool_calls") {
      event.carries_output |= has_tool_call(value);
    } else if (key == "function_call") {
      event.carries_output |= is_call(value);
    }
  });
}

void read_token_ids(Value& ids, OpenAiEvent& event) {
  if (kind_of(ids) != Kind::array) return;
  std::uint32_t count = 0;
  for_each_element(ids, [&](Value&) { ++count; });
  event.token_ids = event.token_ids.value_or(0) + count;
  event.carries_output |= count > 0;
}

void read_choice(Value& choice, OpenAiEvent& event) {
  for_each_field(choice, [&](std::string_view key, Value& value) {
    if (key == "delta") {
      read_delta(value, event);
    } else if (key == "text") {
      const bool text = is_text(value);
      event.carries_output |= text;
      event.carries_answer |= text;
    } else if (key == "finish_reason") {
      event.finished |= is_text(value);
    } else if (key == "token_ids") {
      read_token_ids(value, event);
    }
  });
}

void read_usage(Value& value, OpenAiEvent& event) {
  Usage usage;
  for_each_field(value, [&](std::string_view key, Value& inner) {
    if (key == "prompt_tokens") {
      usage.prompt_tokens = count_of(inner);
    } else if (key == "completion_tokens") {
      usage.completion_tokens = count_of(inner);
    } else if (key == "reasoning_tokens") {
      usage.reasoning_tokens = count_of(inner);
    } else if (key == "prompt_tokens_details" || key == "completion_tokens_details") {
      for_each_field(inner, [&](std::string_view detail, Value& count) {
        if (detail == "cached_tokens") usage.cached_tokens = count_of(count);
        if (detail == "reasoning_tokens") usage.reasoning_tokens = count_of(count);
      });
    }
  });
  if (usage.any()) event.usage = usage;
}

}  // namespace

struct OpenAiEventReader::Parser {
  ondemand::parser json;
  std::string buffer;      ///< the payload, with the padding that simdjson reads past its end
  std::string error_text;  ///< what OpenAiEvent::error_message points into

  /// The words of {"message": ...} (or a string), else the raw JSON. False for null and false: no error at all.
  bool read_error(Value& value) {
    const Kind kind = kind_of(value);
    bool flag = false;
    if (kind == Kind::null) return false;
    if (kind == Kind::boolean && value.get_bool().get(flag) == simdjson::SUCCESS && !flag) return false;
    if (kind == Kind::string) {
      error_text = text_of(value);
    } else if (kind == Kind::object) {
      for_each_field(value, [&](std::string_view key, Value& inner) {
        if (key == "message") error_text = text_of(inner);
      });
    }
    return true;
  }

  void read_field(std::string_view key, Value& value, OpenAiEvent& event) {
    if (key == "choices") {
      for_each_element(value, [&](Value& choice) { read_choice(choice, event); });
    } else if (key == "usage") {
      read_usage(value, event);
    } else if (key == "error") {
      event.is_error |= read_error(value);
    } else if (key == "type" || key == "object") {
      event.is_error |= text_of(value) == "error";
    } else if (key == "message" && error_text.empty()) {
      error_text = text_of(value);
    } else if (key == "detail" && error_text.empty()) {
      error_text = text_of(value);
    }
  }

  bool read_object(std::string_view data, OpenAiEvent& event) {
    buffer.reserve(data.size() + simdjson::SIMDJSON_PADDING);
    buffer.assign(data);
    ondemand::document document;
    if (json.iterate(buffer.data(), data.size(), buffer.capacity()).get(document) != simdjson::SUCCESS) return false;
    Kind kind = Kind::null;
    if (document.type().get(kind) != simdjson::SUCCESS) return false;
    if (kind == Kind::null) return document.is_null();
    ondemand::object root;
    if (kind != Kind::object || document.get_object().get(root) != simdjson::SUCCESS) return false;
    return for_each_field(root, [&](std::string_view key, Value& value) { read_field(key, value, event); });
  }
};

OpenAiEventReader::OpenAiEventReader() : parser_(std::make_unique<Parser>()) {}
OpenAiEventReader::~OpenAiEventReader() = default;
OpenAiEventReader::OpenAiEventReader(OpenAiEventReader&&) noexcept = default;
OpenAiEventReader& OpenAiEventReader::operator=(OpenAiEventReader&&) noexcept = default;

OpenAiEvent OpenAiEventReader::read(std::string_view data) {
  OpenAiEvent event;
  parser_->error_text.clear();
  while (!data.empty() && data.back() <= ' ' && data.back() > 0) data.remove_suffix(1);
  if (data == "[DONE]") {
    event.done = true;
    return event;
  }
  if (data.empty()) return event;  // an empty data line: a keep-alive
  if (!parser_->read_object(data, event)) {
    event = OpenAiEvent{};
    event.malformed = true;
    return event;
  }
  if (event.is_error) event.error_message = parser_->error_text.empty() ? data : parser_->error_text;
  return event;
}

std::string_view OpenAiEventReader::words_of(std::string_view body) {
  return read(body).malformed ? std::string_view() : std::string_view(parser_->error_text);
}

std::string printable(std::string_view text, std::size_t limit) {
  std::size_t end = std::min(limit, text.size());
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  std::string result(text.substr(0, end));
  for (char& c : result) {
    if ((c >= 0 && c < ' ') || c == 0x7f) c = ' ';
  }
  return result;
}

std::string error_words(OpenAiEventReader& reader, std::string_view body, std::size_t limit) {
  const std::string_view words = reader.words_of(body);
  return printable(words.empty() ? body : words, limit);
}

}  // namespace loadline
