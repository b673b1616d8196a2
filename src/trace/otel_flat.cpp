#include "trace/otel_flat.h"

#include <cstring>

#include "trace/gen_ai_span.h"
#include "trace/json_lines.h"
#include "trace/json_record_reader.h"
#include "trace/json_scalars.h"
#include "trace/json_walk.h"
#include "trace/record_place.h"
#include "trace/stamp_resolution.h"
#include "trace/utc_time.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

std::string_view text_of_key(ondemand::raw_json_string key) {
  const char* const begin = key.raw();
  return {begin, static_cast<std::size_t>(std::strchr(begin, '"') - begin)};  // a parsed key has a closing quote
}

simdjson::error_code read_flat_attribute(ondemand::raw_json_string name, ondemand::value& value, GenAiSpan& span) {
  const GenAiKey key = gen_ai_key(text_of_key(name));
  if (key == GenAiKey::other) return simdjson::SUCCESS;
  if (is_number(key)) {
    span.set_number(key, number_token(value));
    return simdjson::SUCCESS;
  }
  std::string_view text;
  ondemand::array list;
  if (value.get_array().get(list) == simdjson::SUCCESS) {  // messages that are not put into a text
    if (const auto code = list.raw_json().get(text)) return code;
  } else if (const auto code = name_token(value).get(text)) {
    return tolerate(code);
  }
  if (!text.empty()) span.set_text(key, text);
  return simdjson::SUCCESS;
}

class FlatSpanReader {
 public:
  FlatSpanReader(PlacedRecords<JsonRecordReader>& records, TraceBuilder& builder)
      : records_(records), builder_(builder), spans_(builder) {}

  /// An object with `spans`, or one that is a span.
  simdjson::error_code read(ondemand::object& object) {
    GenAiSpan own;
    bool has_list = false;
    const std::uint64_t line = records_.line();
    for (auto field : object) {
      ondemand::raw_json_string key;
      if (const auto code = field.key().get(key)) return code;
      ondemand::value value;
      if (const auto code = field.value().get(value)) return code;
      has_list = has_list || key == "spans";
      const auto code = key == "spans"
                            ? for_each_element(value, [&](ondemand::value& element) { return read_span(element); })
                            : read_field(key, value, own);
      if (code) return code;
    }
    if (!has_list) spans_.add(own, line);
    return simdjson::SUCCESS;
  }

  void finish() { builder_.trace().time_resolution_ms = resolution_.step_ms(); }

 private:
  simdjson::error_code read_span(ondemand::value& element) {
    const std::uint64_t line = records_.line_of(element.raw_json_token().data());
    GenAiSpan span;
    const auto code = for_each_field(element, [&](auto key, auto& value) { return read_field(key, value, span); });
    if (!code) spans_.add(span, line);
    return code;
  }

  simdjson::error_code read_field(ondemand::raw_json_string key, ondemand::value& value, GenAiSpan& span) {
    if (key == "name") return tolerate(value.get_string().get(span.name));
    if (key == "start_time") return read_start(value, span);
    if (key == "attributes")
      return for_each_field(value, [&](auto name, auto& inner) { return read_flat_attribute(name, inner, span); });
    if (key != "status") return simdjson::SUCCESS;
    return for_each_field(value, [&](ondemand::raw_json_string name, ondemand::value& inner) {
      if (name == "code" || name == "status_code") {
        const std::string_view status = number_token(inner);
        span.failed = span.failed || status == "2" || status.ends_with("ERROR");
      }
      return simdjson::SUCCESS;
    });
  }

  simdjson::error_code read_start(ondemand::value& value, GenAiSpan& span) {
    std::string_view text;
    if (const auto code = value.get_string().get(text)) return tolerate(code);
    if (const auto time = times_.read(text)) {
      span.start = time->since_epoch;
      resolution_.note_text(time->fraction_digits);
    }
    return simdjson::SUCCESS;
  }

  PlacedRecords<JsonRecordReader>& records_;
  TraceBuilder& builder_;
  GenAiSpans spans_;
  UtcTimeReader times_;
  StampResolution resolution_;
};

}  // namespace

bool is_otel_flat(const LogHead& head) {
  return head.has("\"start_time\"") && head.has("\"attributes\"") && head.has("\"gen_ai.") &&
         !head.has("\"resourceSpans\"");
}

void read_otel_flat(TextWindow& window, TraceBuilder& builder) {
  JsonRecordReader records(window);
  PlacedRecords<JsonRecordReader> placed(records);
  FlatSpanReader reader(placed, builder);
  read_json_lines(
      placed, builder,
      [&](ondemand::object& object) -> simdjson::simdjson_result<std::string_view> {
        if (const auto code = reader.read(object)) return code;
        return std::string_view();
      },
      [](std::uint64_t) {});
  builder.filter(filter::blank, records.take_blank_lines());
  reader.finish();
}

}  // namespace loadline
