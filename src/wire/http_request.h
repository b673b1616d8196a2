#pragma once
// What we send: a request head and the OpenAI bodies, appended to strings that are used again. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

/// Appends an HTTP/1.1 head with its blank line. `host` as in the Host header ("example.org:8000"); `headers` are
/// whole extra lines, each ending in CRLF ("Authorization: Bearer x\r\n"); `content_length` for requests with a body.
void append_request_head(std::string& out, std::string_view method, std::string_view path, std::string_view host,
                         std::string_view headers, std::optional<std::size_t> content_length);

/// "name: value\r\n". Throws Error where a line break or other control byte in either would forge another header.
void append_header(std::string& out, std::string_view name, std::string_view value);

/// The JSON members common to the bodies. Absent members are not written.
struct SamplingMembers {
  std::string_view model;
  std::optional<std::int64_t> max_tokens;
  bool temperature_zero = true;  ///< false where `extra` has its own temperature
  bool stream = true;            ///< with stream_options.include_usage
  std::optional<bool> ignore_eos;
  std::optional<std::int64_t> min_tokens;
  /// More members as raw JSON, without braces: `"return_token_ids":true,"top_k":1`. May be empty.
  std::string_view extra;
};

/// {"model":...,"prompt":[1,2,3],...}: the completions body with token ids.
void append_completions_body(std::string& out, const SamplingMembers& members, std::span<const std::uint32_t> tokens);
/// The completions body with text.
void append_completions_body(std::string& out, const SamplingMembers& members, std::string_view prompt);
/// The chat body with one message of the user.
void append_chat_body(std::string& out, const SamplingMembers& members, std::string_view message);
/// The chat body with whole messages: a JSON array that stands in the body as it is.
void append_chat_messages_body(std::string& out, const SamplingMembers& members, std::string_view messages);

/// A JSON string with its quotes. Quotes, backslashes and control bytes are escaped; bytes that are not UTF-8
/// become U+FFFD, so that the body is always JSON.
void append_json_string(std::string& out, std::string_view text);
/// The text as it is; bytes that are not UTF-8 become U+FFFD.
void append_valid_utf8(std::string& out, std::string_view text);
/// A decimal number.
void append_number(std::string& out, std::int64_t number);

}  // namespace loadline
