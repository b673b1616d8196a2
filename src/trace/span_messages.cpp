#include "trace/span_messages.h"

#include "trace/characters.h"
#include "trace/json_text.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

/// What is no text (a call of a tool, its result, a picture) counts as it is written: it is in the prompt too.
template <class Structure>
simdjson::error_code append_raw(Structure& structure, std::string& text) {
  std::string_view raw;
  const auto code = structure.raw_json().get(raw);
  text += raw;
  return code;
}

}  // namespace

simdjson::error_code SpanMessages::read_part(ondemand::value part) {
  ondemand::object object;
  if (part.get_object().get(object)) {  // a list of plain texts
    std::string_view text;
    if (const auto code = part.get_string().get(text)) return code;
    text_ += text;
    return simdjson::SUCCESS;
  }
  for (const char* const key : {"text", "content"}) {
    std::string_view text;
    if (object.find_field_unordered(key).get_string().get(text)) continue;
    text_ += text;
    return simdjson::SUCCESS;
  }
  only_texts_ = false;
  if (const auto code = object.reset().error()) return code;
  return append_raw(object, text_);
}

simdjson::error_code SpanMessages::read_content(ondemand::value content) {
  ondemand::json_type type;
  if (const auto code = content.type().get(type)) return code;
  if (type == ondemand::json_type::null) return simdjson::SUCCESS;
  if (type != ondemand::json_type::array) {
    std::string_view text;
    if (const auto code = content.get_string().get(text)) return code;
    text_ += text;
    return simdjson::SUCCESS;
  }
  for (auto element : content.get_array()) {
    ondemand::value part;
    if (const auto code = element.get(part)) return code;
    if (const auto code = read_part(part)) return code;
  }
  return simdjson::SUCCESS;
}

simdjson::error_code SpanMessages::read_message(ondemand::object message) {
  role_.clear();
  text_.clear();
  for (auto field : message) {
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    ondemand::value value;
    if (const auto code = field.value().get(value)) return code;
    simdjson::error_code code = simdjson::SUCCESS;
    if (key == "role") {
      std::string_view role;
      code = value.get_string().get(role);
      role_ = role;
    } else if (key == "content" || key == "parts") {
      in_parts_ = in_parts_ || key == "parts";
      code = read_content(value);
    } else if (key == "tool_calls") {
      ondemand::array calls;
      if (value.get_array().get(calls)) continue;  // null where there are none
      only_texts_ = false;
      code = append_raw(calls, text_);
    }
    if (code) return code;
  }
  return simdjson::SUCCESS;
}

template <class Visit>
simdjson::error_code SpanMessages::for_each_message(std::string_view json, Visit visit) {
  padded_.reserve(json.size() + simdjson::SIMDJSON_PADDING);
  padded_ = json;
  in_parts_ = false;
  only_texts_ = true;
  ondemand::document document;
  const simdjson::padded_string_view padded(padded_.data(), padded_.size(), padded_.capacity());
  if (const auto code = parser_.iterate(padded).get(document)) return code;
  ondemand::array messages;
  if (const auto code = document.get_array().get(messages)) return code;
  for (auto element : messages) {
    ondemand::object message;
    if (const auto code = element.get_object().get(message)) return code;
    if (const auto code = read_message(message)) return code;
    visit();
  }
  return simdjson::SUCCESS;
}

bool SpanMessages::add(std::string_view json, TraceBuilder& builder) {
  std::string sendable;
  const auto code = for_each_message(json, [&] {
    builder.add_message(role_, text_);
    if (!in_parts_) return;
    sendable += sendable.empty() ? '[' : ',';
    sendable += "{\"role\":" + json_string(role_) + ",\"content\":" + json_string(text_) + '}';
  });
  if (code) return false;
  if (!in_parts_) {
    builder.keep_messages(json);
  } else if (only_texts_) {
    builder.keep_messages(sendable + ']');
  }
  return true;
}

std::optional<std::int64_t> SpanMessages::characters(std::string_view json) {
  std::int64_t sum = 0;
  if (for_each_message(json, [&] { sum += count_characters(text_); })) return std::nullopt;
  return sum;
}

}  // namespace loadline
