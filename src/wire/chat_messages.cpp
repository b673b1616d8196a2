#include "wire/chat_messages.h"

#include <simdjson.h>

namespace loadline {
namespace {

using simdjson::dom::element;

std::string_view text_member(const element& object, std::string_view name) {
  std::string_view text;
  return object[name].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

void append_content(const element& message, std::string& out) {
  out += text_member(message, "content");
  simdjson::dom::array parts;
  if (message["content"].get(parts) != simdjson::SUCCESS) return;
  for (const element part : parts) out += text_member(part, "text");
}

}  // namespace

struct ChatMessagesReader::Parser {
  simdjson::dom::parser json;
};

ChatMessagesReader::ChatMessagesReader() : parser_(std::make_unique<Parser>()) {}
ChatMessagesReader::~ChatMessagesReader() = default;
ChatMessagesReader::ChatMessagesReader(ChatMessagesReader&&) noexcept = default;
ChatMessagesReader& ChatMessagesReader::operator=(ChatMessagesReader&&) noexcept = default;

std::string_view ChatMessagesReader::fault_of(std::string_view json) {
  element root;
  if (parser_->json.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return "they are not valid JSON";
  simdjson::dom::array messages;
  if (root.get(messages) != simdjson::SUCCESS) return "they are no JSON array";
  if (messages.size() == 0) return "there are none in the array";
  for (const element message : messages) {
    if (!message.is_object()) return "one of them is no JSON object";
  }
  return "";
}

void ChatMessagesReader::append_lines(std::string_view json, std::string& out) {
  element root;
  simdjson::dom::array messages;
  if (parser_->json.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return;
  if (root.get(messages) != simdjson::SUCCESS) return;
  for (const element message : messages) {
    if (!message.is_object()) continue;
    out.append(text_member(message, "role")).append(": ");
    append_content(message, out);
    out += '\n';
  }
}

}  // namespace loadline
