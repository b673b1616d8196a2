#pragma once
// One SSE data payload of an OpenAI-style stream (chat or completions), reduced to what timing and counting
// need. Pure. It does not keep text. docs/method.md section 1: what is output, what is not.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// Counts by the server; absent means the server did not say, or said what cannot be (below 0, above most_tokens_told
/// of core/token_limits.h), never 0.
struct Usage {
  std::optional<std::int64_t> prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens;
  bool any() const { return prompt_tokens || completion_tokens || reasoning_tokens || cached_tokens; }
};

struct OpenAiEvent {
  bool done = false;       ///< "[DONE]"
  bool malformed = false;  ///< neither "[DONE]" nor a JSON object or null; all else is unset
  /// At least one generated token came: text, reasoning or refusal that is not empty, a tool call with a name or
  /// arguments, or non-empty token ids (also where the text is empty: half an emoji). Not a role, not progress.
  bool carries_output = false;
  bool carries_answer = false;             ///< text of the answer itself, not reasoning, not a tool call
  bool finished = false;                   ///< a finish_reason
  std::optional<std::uint32_t> token_ids;  ///< how many, where the event tells them
  std::optional<Usage> usage;              ///< absent for null and for an object without a count
  bool is_error = false;
  std::string_view error_message;  ///< the server's words (or its raw JSON); valid until the next `read`
};

/// Reads events; keeps one parser and one buffer, so that an event costs no allocation. Not thread-safe.
class OpenAiEventReader {
 public:
  OpenAiEventReader();
  ~OpenAiEventReader();
  OpenAiEventReader(OpenAiEventReader&&) noexcept;
  OpenAiEventReader& operator=(OpenAiEventReader&&) noexcept;

  /// Any field may be absent, null or of an unexpected type: it then does not count. `data: null` is an empty event.
  /// Also reads whole JSON bodies of errors: {"error": {...}}, {"error": "..."}, {"type": "error", ...},
  /// {"object": "error", "message": ...}.
  OpenAiEvent read(std::string_view data);
  /// The words of a failed response's JSON body (any error shape above, or "message" or "detail" by itself); empty
  /// where there are none. Valid until the next call.
  std::string_view words_of(std::string_view body);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// The words of a failed response's body, else the body itself. At most `limit` bytes, cut between characters, control
/// bytes as blanks.
std::string error_words(OpenAiEventReader& reader, std::string_view body, std::size_t limit = 500);
/// `text` cut between UTF-8 characters to at most `limit` bytes, control bytes as blanks.
std::string printable(std::string_view text, std::size_t limit);

}  // namespace loadline
