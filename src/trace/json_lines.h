#pragma once
// A log of JSON objects, one a line. The reader of a format gives a function from one parsed object to a reason
// of refusal (empty: the row was used); what is common to all such logs is done here: blank lines, lines that are
// not JSON, not UTF-8 or cut at the end of the file.

#include <simdjson.h>

#include <string_view>

#include "trace/line_reader.h"
#include "trace/refusal.h"
#include "trace/trace_builder.h"

namespace loadline {

/// The reason for which simdjson could not read a line.
inline std::string_view refusal_of(simdjson::error_code code) {
  return code == simdjson::UTF8_ERROR ? refusal::not_utf8 : refusal::malformed;
}

/// What a line read to its end is worth: the object's own `reason`, or malformed where text follows the object.
inline std::string_view refuse_trailing_text(simdjson::ondemand::document& document, std::string_view reason) {
  return document.current_location().error() == simdjson::OUT_OF_BOUNDS ? reason : refusal::malformed;
}

/// What is common to logs of one JSON value a line: calls read_value(simdjson::ondemand::document&) ->
/// simdjson_result<std::string_view> for each that is not blank, and accept(line number) where it was sound.
template <class Lines, class ReadValue, class Accept>
void read_json_values(Lines& lines, TraceBuilder& builder, ReadValue read_value, Accept accept) {
  simdjson::ondemand::parser parser;
  const auto reason_against = [&](const Line& line) -> std::string_view {
    const simdjson::padded_string_view padded(line.text.data(), line.text.size(), line.readable);
    simdjson::ondemand::document document;
    if (const auto code = parser.iterate(padded).get(document)) return refusal_of(code);
    std::string_view reason;
    if (const auto code = read_value(document).get(reason)) return refusal_of(code);
    return refuse_trailing_text(document, reason);
  };
  for (Line line; lines.next(line);) {
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) {
      builder.filter(filter::blank);
      continue;
    }
    builder.begin_row();
    std::string_view reason = reason_against(line);
    const bool unreadable = reason == refusal::malformed || reason == refusal::not_utf8;
    if (unreadable && !line.ended) reason = refusal::truncated;
    if (reason.empty()) {
      accept(line.number);
    } else {
      builder.refuse(reason, line.number);
    }
  }
}

/// Calls read_object(simdjson::ondemand::object&) -> simdjson::simdjson_result<std::string_view> for each object from
/// the reader's next on: `lines` is a LineReader, or a JsonRecordReader where a log may be an array or pretty-printed.
/// The function says what is wrong, if anything; `accept(line number)` is called when the whole object was sound and
/// nothing is wrong, and adds the row. (Where one object holds many requests the function adds them itself.)
template <class Lines, class ReadObject, class Accept>
void read_json_lines(Lines& lines, TraceBuilder& builder, ReadObject read_object, Accept accept) {
  const auto read_value = [&](simdjson::ondemand::document& document) -> simdjson::simdjson_result<std::string_view> {
    simdjson::ondemand::object object;
    if (const auto code = document.get_object().get(object)) return code;
    return read_object(object);
  };
  read_json_values(lines, builder, read_value, accept);
}

/// The same of logs with one array a line.
template <class ReadArray, class Accept>
void read_json_arrays(LineReader& lines, TraceBuilder& builder, ReadArray read_array, Accept accept) {
  const auto read_value = [&](simdjson::ondemand::document& document) -> simdjson::simdjson_result<std::string_view> {
    simdjson::ondemand::array array;
    if (const auto code = document.get_array().get(array)) return code;
    return read_array(array);
  };
  read_json_values(lines, builder, read_value, accept);
}

}  // namespace loadline
