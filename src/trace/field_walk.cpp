#include "trace/field_walk.h"

#include <algorithm>

#include "trace/numbers.h"

namespace loadline {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

error_code FieldWalk::read_object(ondemand::object object, const FieldNode& node) {
  for (auto field : object) {
    ondemand::raw_json_string key;
    if (const error_code code = field.key().get(key)) return code;
    if (!node.may_have(key.raw()[0])) continue;
    std::size_t count = 0;
    for (const FieldNode::Child& child : node.children) {
      if (count < most_meanings && names_child(key.raw(), child)) children_[depth_][count++] = &child;
    }
    if (count == 0) continue;
    ondemand::value value;
    if (const error_code code = field.value().get(value)) return code;
    if (const error_code code = read_value(value, std::span(children_[depth_]).first(count))) return code;
  }
  return simdjson::SUCCESS;
}

const FieldNode* FieldWalk::inside(Children children) {
  const auto found = std::ranges::find_if(children, [](const FieldNode::Child* c) { return c->inside != nullptr; });
  return found == children.end() ? nullptr : (*found)->inside.get();
}

void FieldWalk::take_text(std::string_view text, const FieldNode::Child& child) {
  for (const std::size_t rule : child.rules)
    note(rule, request_.take(tree_.rule(rule), rule, text) ? FieldsMet::State::filled : FieldsMet::State::empty);
  if (!child.inside || in_embedded_ || depth_ + 1 >= deepest) return;
  in_embedded_ = true;
  ++depth_;
  // Text that is no JSON after all tells nothing: what it should have told is found missing.
  embedded_.open(text);
  for (std::string_view json; !(json = embedded_.next()).empty();) read_embedded(json, *child.inside);
  --depth_;
  in_embedded_ = false;
}

void FieldWalk::read_embedded(std::string_view json, const FieldNode& node) {
  ondemand::document document;
  ondemand::object object;
  if (embedded_parser_.iterate(json.data(), json.size(), json.size() + EmbeddedJson::padding).get(document)) return;
  if (!document.get_object().get(object)) read_object(object, node);
}

void FieldWalk::take_nested(std::string_view json, Children children) {
  for (const FieldNode::Child* child : children) {
    for (const std::size_t rule : child->rules) {
      note(rule, FieldsMet::State::filled);
      request_.take_nested(tree_.rule(rule), rule, json);
    }
  }
}

error_code FieldWalk::read_inner(ondemand::object object, Children children) {
  const FieldNode* const inner = inside(children);
  if (inner == nullptr || depth_ + 1 >= deepest) {
    std::string_view json;
    if (const error_code code = object.raw_json().get(json)) return code;
    take_nested(json, children);
    return simdjson::SUCCESS;
  }
  ++depth_;
  const error_code code = read_object(object, *inner);
  --depth_;
  return code;
}

/// An array is a chat's messages, or it holds objects with the fields looked for.
error_code FieldWalk::read_array(ondemand::array array, Children children) {
  const bool asked_for_itself = std::ranges::any_of(children, [](const auto* child) { return !child->rules.empty(); });
  if (asked_for_itself) {
    std::string_view json;
    if (const error_code code = array.raw_json().get(json)) return code;
    take_nested(trimmed(json), children);
    return simdjson::SUCCESS;
  }
  for (auto element : array) {
    ondemand::value value;
    if (const error_code code = element.get(value)) return code;
    ondemand::json_type type{};
    if (const error_code code = value.type().get(type)) return code;
    if (type != ondemand::json_type::object) continue;
    ondemand::object object;
    if (const error_code code = value.get_object().get(object)) return code;
    if (const error_code code = read_inner(object, children)) return code;
  }
  return simdjson::SUCCESS;
}

error_code FieldWalk::read_value(ondemand::value value, Children children) {
  ondemand::json_type type{};
  if (const error_code code = value.type().get(type)) return code;
  if (type == ondemand::json_type::object) {
    ondemand::object object;
    if (const error_code code = value.get_object().get(object)) return code;
    return read_inner(object, children);
  }
  if (type == ondemand::json_type::array) {
    ondemand::array array;
    if (const error_code code = value.get_array().get(array)) return code;
    return read_array(array, children);
  }
  std::string_view text;
  if (type == ondemand::json_type::string) {
    if (const error_code code = value.get_string().get(text)) return code;
  } else {
    text = trimmed(value.raw_json_token());
  }
  for (std::size_t i = 0; i < children.size(); ++i) take_text(text, *children[i]);
  return simdjson::SUCCESS;
}

}  // namespace loadline
