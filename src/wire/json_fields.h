#pragma once
// Walking a JSON value with simdjson's on-demand parser: once, field by field, in whatever order the server wrote them.
// Values that are skipped are not validated: a stream is measured, not linted.

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/token_limits.h"

namespace loadline::json {

using Value = simdjson::ondemand::value;
using Object = simdjson::ondemand::object;
using Array = simdjson::ondemand::array;
using Kind = simdjson::ondemand::json_type;

/// Null where it cannot be told.
inline Kind kind_of(Value& value) {
  Kind kind = Kind::null;
  if (value.type().get(kind) != simdjson::SUCCESS) return Kind::null;
  return kind;
}

/// A string with at least one character. `"` ends the raw form of an empty one: no unescaping is needed to know.
inline bool is_text(Value& value) {
  if (kind_of(value) != Kind::string) return false;
  const std::string_view raw = value.raw_json_token();
  return raw.size() >= 2 && raw[1] != '"';
}

/// The whole string, unescaped; empty where the value is something else. Valid until the next document.
inline std::string_view text_of(Value& value) {
  std::string_view text;
  if (kind_of(value) == Kind::string && value.get_string().get(text) == simdjson::SUCCESS) return text;
  return {};
}

/// A whole number from 0 to most_tokens_told.
inline std::optional<std::int64_t> count_of(Value& value) {
  std::int64_t count = 0;
  if (kind_of(value) != Kind::number || value.get_int64().get(count) != simdjson::SUCCESS) return std::nullopt;
  return count >= 0 && count <= most_tokens_told ? std::optional(count) : std::nullopt;
}

inline bool is_true(Value& value) {
  bool flag = false;
  return kind_of(value) == Kind::boolean && value.get_bool().get(flag) == simdjson::SUCCESS && flag;
}

/// Calls `use(key, value)` for each field. False when the JSON breaks off or is wrong.
template <class Use>
bool for_each_field(Object& object, Use use) {
  for (auto field : object) {
    std::string_view key;
    Value inner;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS || field.value().get(inner) != simdjson::SUCCESS)
      return false;
    use(key, inner);
  }
  return true;
}

/// The same for any value; one that is not an object has no fields.
template <class Use>
bool for_each_field(Value& value, Use use) {
  if (kind_of(value) != Kind::object) return true;
  Object object;
  return value.get_object().get(object) == simdjson::SUCCESS && for_each_field(object, use);
}

template <class Use>
bool for_each_element(Array& array, Use use) {
  for (auto element : array) {
    Value inner;
    if (element.get(inner) != simdjson::SUCCESS) return false;
    use(inner);
  }
  return true;
}

template <class Use>
bool for_each_element(Value& value, Use use) {
  if (kind_of(value) != Kind::array) return true;
  Array array;
  return value.get_array().get(array) == simdjson::SUCCESS && for_each_element(array, use);
}

/// How many elements; absent where the value is no array.
inline std::optional<std::uint32_t> length_of(Value& value) {
  if (kind_of(value) != Kind::array) return std::nullopt;
  std::uint32_t count = 0;
  for_each_element(value, [&](Value&) { ++count; });
  return count;
}

}  // namespace loadline::json
