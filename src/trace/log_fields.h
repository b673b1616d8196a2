#pragma once
// Which fields of a log's records tell what: a table of paths, given by a format or by the user. A path such as
// "usage.prompt_tokens" is the key prompt_tokens inside usage, or a key with the dot in its name; inside arrays it is
// that of every element. A last key that ends in '*' stands for all keys that begin so.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace loadline {

enum class LogField : std::uint8_t {
  prompt,            ///< tokens
  prompt_part,       ///< tokens of the prompt that `prompt` leaves out
  completion,        ///< tokens
  completion_part,   ///< tokens of the completion that `completion` leaves out
  total,             ///< tokens of both: tells whether the parts are in them after all
  cached,            ///< tokens
  max_completion,    ///< tokens
  arrival,           ///< a time
  end,               ///< a time
  duration,          ///< from arrival to end
  session,           ///< a name
  client,            ///< a name
  status,            ///< of HTTP, where below 100 and from 400 on say that the request failed; or a word, where all but
                     ///< ok, success, successful, succeeded, complete, completed, true and 2xx do
  outcome,           ///< a word; "failure", "failed" and "error" say that the request failed
  error,             ///< the request failed if there is anything
  kind,              ///< a word, or a path, by which a format tells requests from other records
  gateway_answered,  ///< "true": the gateway answered from a cache of its own, no model was asked
  prompt_characters,
  completion_characters,
  prompt_text,      ///< text, or a chat's messages
  completion_text,  ///< text; several pieces add up
};
inline constexpr std::size_t log_field_count = static_cast<std::size_t>(LogField::completion_text) + 1;

/// Whether a record of this kind is one request to a model; `has_lengths`: it counts tokens of prompt and completion.
using KindTest = bool(std::string_view kind, bool has_lengths);

/// A KindTest of URL paths: completions are made at "/v1/chat/completions", "/api/generate", ..., and wherever lengths
/// are counted.
bool is_generation_path(std::string_view path, bool has_lengths);

struct FieldRule {
  std::string_view path;
  LogField field;
  std::optional<Nanos> unit =
      {};  ///< of numbers that are times and durations; absent: their size tells (stamp_reader.h)
};

/// The rules as a tree of keys.
struct FieldNode {
  struct Child {
    std::string key;
    bool is_beginning = false;       ///< of the keys meant
    std::vector<std::size_t> rules;  ///< indices; what the value itself tells
    std::unique_ptr<FieldNode> inside;
  };
  std::vector<Child> children;
  std::uint64_t first_letters = 0;  ///< one bit for each that a child's key begins with

  void add(std::string_view path, std::size_t rule);
  bool may_have(char first) const { return (first_letters >> (static_cast<unsigned>(first) % 64) & 1) != 0; }
};

/// Where several rules of one field find something, the first in the table counts.
class FieldTree {
 public:
  explicit FieldTree(std::span<const FieldRule> rules);
  const FieldRule& rule(std::size_t index) const { return rules_[index]; }
  std::span<const FieldRule> rules() const { return rules_; }
  const FieldNode& root() const { return root_; }

 private:
  std::vector<FieldRule> rules_;
  FieldNode root_;
};

/// What was met of the fields asked for.
struct FieldsMet {
  enum class State : std::uint8_t { never, empty, filled };
  std::vector<State> rules;        ///< by rule
  std::vector<std::string> names;  ///< of all columns, or of all keys of the first object
};

}  // namespace loadline
