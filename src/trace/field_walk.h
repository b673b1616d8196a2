#pragma once
// From a record's fields to a LoggedRequest: finds those that a table asks for, wherever they are nested, also in texts
// that hold JSON.

#include <simdjson.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/embedded_json.h"
#include "trace/log_fields.h"
#include "trace/logged_request.h"

namespace loadline {

/// Whether `key`, which ends at a quote, is the child's. Asked for every key of every record, so most are told apart by
/// their first letter alone.
inline bool names_child(const char* key, const FieldNode::Child& child) {
  for (const char c : child.key) {
    if (*key != c) return false;
    ++key;
  }
  return child.is_beginning || *key == '"';
}

/// Reads records one after another; keeps its memory between them.
class FieldWalk {
 public:
  FieldWalk(const FieldTree& tree, LoggedRequest& request, FieldsMet& met)
      : tree_(tree), request_(request), met_(met) {}

  /// Reads all that `node` asks for in an object.
  simdjson::error_code read_object(simdjson::ondemand::object object, const FieldNode& node);
  /// A cell of a table.
  void read_cell(std::string_view text, const FieldNode::Child& child) { take_text(text, child); }

 private:
  using Children = std::span<const FieldNode::Child* const>;
  static constexpr std::size_t most_meanings = 4, deepest = 16;

  simdjson::error_code read_value(simdjson::ondemand::value value, Children children);
  simdjson::error_code read_array(simdjson::ondemand::array array, Children children);
  simdjson::error_code read_inner(simdjson::ondemand::object object, Children children);
  void take_text(std::string_view text, const FieldNode::Child& child);
  void read_embedded(std::string_view json, const FieldNode& node);
  void take_nested(std::string_view json, Children children);
  static const FieldNode* inside(Children children);
  void note(std::size_t rule, FieldsMet::State state) { met_.rules[rule] = std::max(met_.rules[rule], state); }

  const FieldTree& tree_;
  LoggedRequest& request_;
  FieldsMet& met_;
  EmbeddedJson embedded_;
  simdjson::ondemand::parser embedded_parser_;
  bool in_embedded_ = false;
  std::size_t depth_ = 0;
  std::array<std::array<const FieldNode::Child*, most_meanings>, deepest> children_{};
};

}  // namespace loadline
