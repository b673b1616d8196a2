#include "trace/otlp.h"

#include "trace/gen_ai_span.h"
#include "trace/json_lines.h"
#include "trace/json_record_reader.h"
#include "trace/json_scalars.h"
#include "trace/json_walk.h"
#include "trace/record_place.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;
using OtlpRecords = PlacedRecords<JsonRecordReader>;

/// number_token of what is nearly always a text without blanks behind it.
inline std::string_view otlp_token(ondemand::value& value) {
  const std::string_view token = value.raw_json_token();
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') return token.substr(1, token.size() - 2);
  return number_token(value);
}

/// {"key": ..., "value": {"stringValue" | "intValue" | "doubleValue" | ...: ...}}
simdjson::error_code read_otlp_attribute(ondemand::value& element, GenAiSpan& span) {
  ondemand::object attribute;
  if (const auto code = element.get_object().get(attribute)) return tolerate(code);
  ondemand::value name, any;
  if (const auto code = attribute.find_field_unordered("key").get(name)) return tolerate(code);
  const GenAiKey key = gen_ai_key(otlp_token(name));
  if (key == GenAiKey::other) return simdjson::SUCCESS;
  if (key == GenAiKey::request_id || key == GenAiKey::error) {  // that it is there says all
    span.set_text(key, {});
    return simdjson::SUCCESS;
  }
  if (const auto code = attribute.find_field_unordered("value").get(any)) return tolerate(code);
  return for_each_field(any, [&](ondemand::raw_json_string kind, ondemand::value& value) -> simdjson::error_code {
    if (is_number(key)) {
      span.set_number(key, otlp_token(value));
      return simdjson::SUCCESS;
    }
    std::string_view text;
    if (key == GenAiKey::operation || kind == "intValue") {  // one of a few words, or an id that is a number
      text = otlp_token(value);
    } else if (const auto code = value.get_string().get(text)) {
      return tolerate(code);
    }
    span.set_text(key, text);
    return simdjson::SUCCESS;
  });
}

class OtlpReader {
 public:
  OtlpReader(OtlpRecords& records, TraceBuilder& builder) : records_(records), builder_(builder), spans_(builder) {}

  /// One export request: {"resourceSpans": [{"scopeSpans": [{"spans": [...]}]}]}.
  simdjson::error_code read(ondemand::object& request) {
    bool has_spans = false;
    for (auto field : request) {
      ondemand::raw_json_string key;
      if (const auto code = field.key().get(key)) return code;
      ondemand::value value;
      if (const auto code = field.value().get(value)) return code;
      if (!(key == "resourceSpans")) continue;
      has_spans = true;
      const auto code = for_each_element(value, [&](ondemand::value& resource) {
        return for_each_list(resource, "scopeSpans", [&](ondemand::value& scope) {
          return for_each_list(scope, "spans", [&](ondemand::value& span) { return read_span(span); });
        });
      });
      if (code) return code;
    }
    if (!has_spans) builder_.filter(filter::not_a_request);  // metrics or logs of the same collector
    return simdjson::SUCCESS;
  }

  double resolution_ms() const { return milliseconds(step_); }

 private:
  /// Calls visit for each element of the array that `object` has under `name`.
  template <class Visit>
  static simdjson::error_code for_each_list(ondemand::value& object, std::string_view name, Visit visit) {
    return for_each_field(object, [&](ondemand::raw_json_string key, ondemand::value& value) -> simdjson::error_code {
      return key == name ? for_each_element(value, visit) : simdjson::SUCCESS;
    });
  }

  simdjson::error_code read_span(ondemand::value& element) {
    const std::uint64_t line = records_.line_of(element.raw_json_token().data());
    GenAiSpan span;
    const auto read_field = [&](ondemand::raw_json_string key, ondemand::value& value) -> simdjson::error_code {
      if (key == "name") span.name = otlp_token(value);
      if (key == "startTimeUnixNano") span.start = read_instant(value);
      if (key == "endTimeUnixNano") span.end = read_instant(value);
      if (key == "status") return read_status(value, span);
      if (key != "attributes") return simdjson::SUCCESS;
      return for_each_element(value, [&](ondemand::value& attribute) { return read_otlp_attribute(attribute, span); });
    };
    if (const auto code = for_each_field(element, read_field)) return code;
    note_step(span.start);
    spans_.add(span, line);
    return simdjson::SUCCESS;
  }

  static std::optional<Nanos> read_instant(ondemand::value& value) {
    const ParsedSpan instant = parse_span(otlp_token(value), Nanos(1));
    if (!instant.ok() || instant.value <= Nanos(0)) return std::nullopt;  // 0 is how OTLP says "unknown"
    return instant.value;
  }

  void note_step(std::optional<Nanos> start) {
    while (start && *start % step_ != Nanos(0)) step_ /= 1000;
  }

  static simdjson::error_code read_status(ondemand::value& value, GenAiSpan& span) {
    return for_each_field(value, [&](ondemand::raw_json_string key, ondemand::value& code) {
      if (key == "code") {
        const std::string_view token = otlp_token(code);
        span.failed = span.failed || token == "2" || token == "STATUS_CODE_ERROR";
      }
      return simdjson::SUCCESS;
    });
  }

  OtlpRecords& records_;
  TraceBuilder& builder_;
  GenAiSpans spans_;
  Nanos step_ = std::chrono::seconds(1);  ///< divides all stamps: what they are steps of
};

}  // namespace

bool is_otlp(const LogHead& head) { return head.has("\"resourceSpans\""); }
bool is_vllm_otlp(const LogHead& head) { return is_otlp(head) && head.has("\"llm_request\""); }
bool is_sglang_otlp(const LogHead& head) { return is_otlp(head) && head.has("\"sglang"); }

void read_otlp(TextWindow& window, TraceBuilder& builder) {
  JsonRecordReader records(window);
  OtlpRecords placed(records);
  OtlpReader reader(placed, builder);
  read_json_lines(
      placed, builder,
      [&](ondemand::object& request) -> simdjson::simdjson_result<std::string_view> {
        if (const auto code = reader.read(request)) return code;
        return std::string_view();
      },
      [](std::uint64_t) {});
  builder.filter(filter::blank, records.take_blank_lines());
  builder.trace().time_resolution_ms = reader.resolution_ms();
}

}  // namespace loadline
