#pragma once
// The bytes the engine answers with, HTTP framing included: shaped like vLLM's. A streamed token is one event in
// one HTTP chunk, prebuilt per request; only a running usage is written anew for each token.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/api_request.h"

namespace loadline {

inline constexpr std::string_view engine_model_name = "loadline-engine";

/// A whole response with its head.
std::string plain_answer(std::uint16_t status, std::string_view content_type, std::string_view body, bool keep_alive);
/// The same around {"error": {"message", "type", "param", "code"}}.
std::string error_answer(const Refusal& refusal, bool keep_alive);

/// The answer to one completion.
class CompletionAnswer {
 public:
  /// `id` is unique in the server's life, `created` in seconds since 1970. A streamed request of the same kind
  /// gives chunks of the same length.
  CompletionAnswer(const CompletionRequest& request, std::uint64_t id, std::int64_t created,
                   std::string_view fingerprint, bool keep_alive);

  bool streams() const { return stream_; }
  /// Head and, for a chat, the chunk with the role: what comes before the first token.
  void append_start(std::string& out) const;
  /// The chunk of one token that is not the last. Valid until the next call.
  std::string_view token();
  /// The last token's chunk, the usage if it was asked for, and the end of the response.
  void append_end(std::int64_t cached_tokens, std::string& out);
  /// All of an answer that is not streamed.
  std::string whole(std::int64_t cached_tokens) const;

 private:
  std::string event(std::string_view choices, std::string_view usage, std::string_view more = {}) const;
  std::string token_event(std::string_view finish_reason) const;
  std::string running_usage() const;
  std::string full_usage(std::int64_t cached_tokens) const;

  bool chat_, stream_, include_usage_, continuous_usage_, keep_alive_;
  std::int64_t prompt_tokens_, completion_tokens_;
  std::int64_t emitted_ = 0;
  std::string id_, fingerprint_;
  std::int64_t created_;
  std::string chunk_;  ///< the prebuilt one, or the last built one
};

}  // namespace loadline
