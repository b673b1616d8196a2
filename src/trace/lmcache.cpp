#include "trace/lmcache.h"

#include "trace/characters.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/json_scalars.h"

namespace loadline {
namespace {

using simdjson::error_code;
using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

error_code read_lmcache_field(ondemand::raw_json_string key, ondemand::value value, TraceBuilder& builder, ReadRow& row,
                              std::string_view& reason) {
  std::string_view text;
  if (key == "timestamp") {
    reason = take_span(value, std::chrono::microseconds(1), row.time);
  } else if (key == "input") {
    if (const auto code = value.get_string().get(text)) return code;
    builder.begin_row();
    if (!text.empty()) builder.add_text(text);
  } else if (key == "output") {
    if (value.is_null()) return simdjson::SUCCESS;
    if (const auto code = value.get_string().get(text)) return code;
    row.completion_characters = count_characters(text);
  } else if (key == "session_id") {
    if (const auto code = name_token(value).get(text)) return code;
    if (!text.empty()) row.session = builder.session(text);
  }
  return simdjson::SUCCESS;
}

simdjson_result<std::string_view> read_lmcache_object(ondemand::object& object, TraceBuilder& builder, ReadRow& row) {
  row = {};
  std::string_view reason;
  for (auto field : object) {
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    ondemand::value value;
    if (const auto code = field.value().get(value)) return code;
    if (const auto code = read_lmcache_field(key, value, builder, row, reason)) return code;
  }
  if (reason.empty() && row.time && *row.time < Nanos(0)) reason = refusal::bad_timestamp;
  if (reason.empty() && row.completion_characters == 0) reason = refusal::completion_zero;
  return reason;
}

}  // namespace

bool is_lmcache(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    return line.starts_with('{') && has_top_level_key(line, "timestamp") && has_top_level_key(line, "input") &&
           (has_top_level_key(line, "output") || has_top_level_key(line, "session_id"));
  });
}

void read_lmcache(TextWindow& window, TraceBuilder& builder) {
  Trace& trace = builder.trace();
  trace.has_times = true;
  trace.time_zone = "UTC";
  trace.time_resolution_ms = 0.001;
  ReadRow row;
  LineReader lines(window);
  read_json_lines(
      lines, builder, [&](ondemand::object& object) { return read_lmcache_object(object, builder, row); },
      [&](std::uint64_t line) { builder.add(row, line); });
}

}  // namespace loadline
