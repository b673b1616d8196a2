#pragma once
// One pass over nested JSON of which only a few fields matter, forgiving: logs add fields and change their types.

#include <simdjson.h>

namespace loadline {

/// What is not of the expected type is as if it were not there; only broken JSON ends a record.
inline simdjson::error_code tolerate(simdjson::error_code code) {
  return code == simdjson::INCORRECT_TYPE || code == simdjson::NO_SUCH_FIELD ? simdjson::SUCCESS : code;
}

/// Calls visit(key, value) for each field, until it returns an error.
template <class Visit>
simdjson::error_code for_each_field(simdjson::ondemand::object& object, Visit visit) {
  for (auto field : object) {
    simdjson::ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    simdjson::ondemand::value inner;
    if (const auto code = field.value().get(inner)) return code;
    if (const auto code = visit(key, inner)) return code;
  }
  return simdjson::SUCCESS;
}

/// The same of a value; one that is no object has no fields.
template <class Visit>
simdjson::error_code for_each_field(simdjson::ondemand::value& value, Visit visit) {
  simdjson::ondemand::object object;
  if (const auto code = value.get_object().get(object)) return tolerate(code);
  return for_each_field(object, visit);
}

/// Calls visit(value) for each element, until it returns an error.
template <class Visit>
simdjson::error_code for_each_element(simdjson::ondemand::value& value, Visit visit) {
  simdjson::ondemand::array array;
  if (const auto code = value.get_array().get(array)) return tolerate(code);
  for (auto element : array) {
    simdjson::ondemand::value inner;
    if (const auto code = element.get(inner)) return code;
    if (const auto code = visit(inner)) return code;
  }
  return simdjson::SUCCESS;
}

}  // namespace loadline
