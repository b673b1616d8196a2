#pragma once
// One event of a stream, of any format, or one whole JSON answer, reduced to what timing and counting need. Pure.
// docs/method.md section 1: what is output, what is not.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wire/stream_format.h"

namespace loadline {

/// Counts by the server; absent means the server did not say, or said what cannot be (below 0, above most_tokens_told
/// of core/token_limits.h), never 0. Prompt tokens include the cached ones, completion tokens the reasoning.
struct Usage {
  std::optional<std::int64_t> prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens;
  bool any() const { return prompt_tokens || completion_tokens || reasoning_tokens || cached_tokens; }
  /// What `later` tells replaces what was told before; what it does not tell stays.
  void update(const Usage& later);
};

struct StreamEvent {
  bool done = false;       ///< nothing follows: "[DONE]", or the format's last event
  bool malformed = false;  ///< neither "[DONE]" nor a JSON object or null; all else is unset
  /// At least one generated token came: text, reasoning or refusal that is not empty, a tool call with a name or
  /// arguments, or non-empty token ids (also where the text is empty: half an emoji). Not a role, not progress. Tokens
  /// that only a running count tells of are RunningTokens' to find (running_tokens.h).
  bool carries_output = false;
  bool carries_answer = false;             ///< text of the answer itself, not reasoning, not a tool call
  bool finished = false;                   ///< the server said why it ended: finish_reason and its like
  std::optional<std::uint32_t> token_ids;  ///< tokens of this event, where it tells them itself
  std::optional<Usage> usage;              ///< absent for null and for an object without a count
  bool counts_on = false;  ///< usage->completion_tokens is the count so far: more than before is a token, text or not
  bool is_error = false;
  std::string_view error_message;  ///< the server's words (or its raw JSON); valid until the next `read`
};

/// Reads events; keeps one parser and one buffer, so that an event costs no allocation. Not thread-safe.
class StreamEventReader {
 public:
  StreamEventReader();
  ~StreamEventReader();
  StreamEventReader(StreamEventReader&&) noexcept;
  StreamEventReader& operator=(StreamEventReader&&) noexcept;

  /// One event's data (a line, where the format is lines), with the event type of its framing; "message" or empty where
  /// that named none. Any field may be absent, null or of an unexpected type: it then does not count. `data: null` is
  /// an empty event. Errors are known in every shape: {"error": {...}}, {"error": "..."}, {"type": "error", ...},
  /// {"object": "error", "message": ...}. `text`, where given, collects the text of all channels: it is appended, or
  /// replaced where the format repeats the whole text.
  StreamEvent read(StreamFormat format, std::string_view type, std::string_view data, std::string* text = nullptr);
  /// The whole answer to a request that was not streamed, or an embedding. `finished` where it is one JSON object
  /// (or, of embeddings, an array) without an error; `malformed` otherwise, also for an empty body.
  StreamEvent read_whole(StreamFormat format, std::string_view body, std::string* text = nullptr);
  /// The words of a failed response's JSON body (any error shape above, or "message" or "detail" by itself); empty
  /// where there are none. Valid until the next call.
  std::string_view words_of(std::string_view body);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// The words of a failed response's body, else the body itself. At most `limit` bytes, cut between characters, control
/// bytes as blanks.
std::string error_words(StreamEventReader& reader, std::string_view body, std::size_t limit = 500);
/// `text` cut between UTF-8 characters to at most `limit` bytes, control bytes as blanks.
std::string printable(std::string_view text, std::size_t limit);

}  // namespace loadline
