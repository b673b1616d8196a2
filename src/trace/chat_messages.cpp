#include "trace/chat_messages.h"

#include <string>

namespace loadline {
namespace {

using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

struct PromptEnd {
  std::size_t count = 0;  ///< messages of the prompt
  std::string_view json;  ///< they, as the array has them, without its closing bracket
  bool has_user = false;
};

/// Finds the last message that is not the assistant's.
simdjson_result<PromptEnd> find_prompt_end(ondemand::array& messages) {
  PromptEnd found;
  std::size_t seen = 0;
  const char* begin = nullptr;
  for (auto element : messages) {
    ondemand::object message;
    if (const auto code = element.get_object().get(message)) return code;
    std::string_view role, raw;
    if (const auto code = message["role"].get_string().get(role)) return code;
    ++seen;
    if (const auto code = message.reset().error()) return code;
    if (const auto code = message.raw_json().get(raw)) return code;
    if (begin == nullptr) begin = raw.data();
    found.has_user = found.has_user || role == "user";
    if (role == "assistant") continue;
    found.count = seen;
    found.json = {begin, static_cast<std::size_t>(raw.data() + raw.size() - begin)};
  }
  return found;
}

simdjson_result<std::string> content_of(ondemand::value content) {
  std::string text;
  if (content.is_null()) return text;
  std::string_view plain;
  ondemand::array parts;
  if (content.get_string().get(plain) == simdjson::SUCCESS) return std::string(plain);
  if (const auto code = content.get_array().get(parts)) return code;
  for (auto element : parts) {
    ondemand::object part;
    if (const auto code = element.get_object().get(part)) return code;
    if (part["text"].get_string().get(plain) == simdjson::SUCCESS) text += plain;
  }
  return text;
}

simdjson_result<bool> add_chat_message(ondemand::object message, TraceBuilder& builder) {
  std::string_view role;
  std::string content;
  if (const auto code = message["role"].get_string().get(role)) return code;
  ondemand::value value;
  if (message["content"].get(value) == simdjson::SUCCESS) {
    if (const auto code = content_of(value).get(content)) return code;
  }
  builder.add_message(role, content);
  return true;
}

}  // namespace

simdjson_result<bool> read_chat_prompt(ondemand::array messages, TraceBuilder& builder) {
  PromptEnd end;
  if (const auto code = find_prompt_end(messages).get(end)) return code;
  if (const auto code = messages.reset().error()) return code;
  std::size_t place = 0;
  for (auto element : messages) {
    ondemand::object message;
    if (const auto code = element.get_object().get(message)) return code;
    if (!end.has_user || ++place > end.count) continue;
    if (const auto code = add_chat_message(message, builder).error()) return code;
  }
  if (end.has_user) builder.keep_messages("[" + std::string(end.json) + "]");
  return bool{end.has_user};
}

}  // namespace loadline
