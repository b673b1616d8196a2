#pragma once
// The bodies that ask for output, of every shape that the field's servers take, appended to strings that are used
// again. Which server takes which shape is target's to know. Pure.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

/// How an endpoint spells what a request says: raw pieces of JSON, and names of members without quotes. Empty: it has
/// no such member.
struct BodyShape {
  bool names_model = true;
  std::string_view before_text;      ///< up to the prompt's text: `"prompt":`, `"messages":[{"role":"user","content":`
  std::string_view after_text;       ///< behind it: `}]`
  std::string_view token_ids;        ///< the array of a prompt of token ids
  std::string_view messages;         ///< the array of a chat's messages
  std::string_view container;        ///< the object that holds the sampling members; empty: the body itself
  std::string_view length;           ///< most output tokens
  std::string_view greedy;           ///< raw: the likeliest token is always taken, `"temperature":0`
  std::string_view stream;           ///< raw: the answer comes in pieces
  std::string_view whole;            ///< raw: the answer comes in one piece
  std::string_view always;           ///< raw members of every body
  std::string_view always_sampling;  ///< raw members of every container
  std::string_view ignore_eos;       ///< boolean
  std::string_view least_length;     ///< least output tokens
};

/// The values of one request. Absent members are not written.
struct SamplingMembers {
  std::string_view model;
  std::optional<std::int64_t> max_tokens;
  bool greedy = true;  ///< false where `extra` or `extra_sampling` has a temperature of its own
  bool stream = true;
  std::optional<bool> ignore_eos;
  std::optional<std::int64_t> min_tokens;
  /// More members as raw JSON, without braces: `"return_token_ids":true,"top_k":1`. May be empty.
  std::string_view extra;
  std::string_view extra_sampling;  ///< the same, inside BodyShape::container
};

/// The body of a prompt of text. `shape` has `before_text`.
void append_text_body(std::string& out, const BodyShape& shape, const SamplingMembers& members, std::string_view text);
/// The body of a prompt of token ids. `shape` has `token_ids`.
void append_token_body(std::string& out, const BodyShape& shape, const SamplingMembers& members,
                       std::span<const std::uint32_t> tokens);
/// The body of a whole chat: a JSON array that stands in the body as it is. `shape` has `messages`.
void append_messages_body(std::string& out, const BodyShape& shape, const SamplingMembers& members,
                          std::string_view messages);

}  // namespace loadline
