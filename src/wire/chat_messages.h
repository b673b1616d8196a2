#pragma once
// The messages of a chat, as a log has them: a JSON array. Pure.

#include <memory>
#include <string>
#include <string_view>

namespace loadline {

/// Keeps one parser and its buffers, so that a prompt costs no allocation once they have grown. Not thread-safe.
class ChatMessagesReader {
 public:
  ChatMessagesReader();
  ~ChatMessagesReader();
  ChatMessagesReader(ChatMessagesReader&&) noexcept;
  ChatMessagesReader& operator=(ChatMessagesReader&&) noexcept;

  /// Why `json` cannot stand as the "messages" of a chat body, in words; empty where it can: it is a JSON array of at
  /// least one object.
  std::string_view fault_of(std::string_view json);
  /// Appends a line "role: content\n" for each message: the prompt of an endpoint that knows no messages. Of a content
  /// in parts the texts, one after another; a role or a content that is no text is empty. Nothing where `fault_of`
  /// has something to say.
  void append_lines(std::string_view json, std::string& out);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace loadline
