#pragma once
// What an API body asks of the engine: JSON in, tokens and numbers out. Does not know connections or the model.
//
// The engine has no vocabulary and no end of sequence. A prompt given as text is one token per word between
// white space (a hash of the word), a chat adds a template of 4 tokens in front, and an answer always has
// max_tokens tokens, with or without ignore_eos and min_tokens.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

inline constexpr std::int64_t default_max_tokens = 16;
inline constexpr std::size_t chat_template_tokens = 4;

/// Why a request is not served: an HTTP status and the words of error.message.
struct Refusal {
  std::uint16_t status = 400;
  std::string message;
};

struct CompletionRequest {
  bool chat = false;
  std::string model;                  ///< empty where none was named
  std::vector<std::uint32_t> tokens;  ///< of the prompt, at least one
  std::int64_t max_tokens = default_max_tokens;
  bool stream = false;
  bool include_usage = false;
  bool continuous_usage = false;  ///< a running usage in every chunk
};

/// Reads bodies one after another with one set of buffers.
class ApiReader {
 public:
  ApiReader();
  ~ApiReader();

  /// The body of /v1/completions, or of /v1/chat/completions for `chat`. Replaces `request`; what it holds
  /// after a refusal means nothing. Unknown members are ignored.
  std::optional<Refusal> read_completion(std::string_view body, bool chat, CompletionRequest& request);
  /// The body of /tokenize: a prompt or messages.
  std::optional<Refusal> read_tokenize(std::string_view body, std::vector<std::uint32_t>& tokens);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// Appends one token per word of `text`.
void append_word_tokens(std::string_view text, std::vector<std::uint32_t>& tokens);

}  // namespace loadline
