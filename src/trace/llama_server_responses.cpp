#include "trace/llama_server_responses.h"

#include <algorithm>

#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/json_record_reader.h"
#include "trace/json_scalars.h"
#include "trace/json_walk.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view end_remark =
    "a response is dated by when it ended, in whole seconds: arrivals are that less the time of its prompt and its "
    "tokens, so what a request waited for a slot is not in them";
constexpr std::string_view no_times_remark =
    "these responses hold no time: arrivals are unknown, and rows keep the order of the log";

struct LlamaResponse {
  std::optional<Nanos> created;                        ///< the end, in whole seconds
  std::optional<Tokens> cached, computed, completion;  ///< of the prompt: from the cache and not
  std::optional<Nanos> prompt_time, completion_time;
  std::optional<Tokens> prompt;  ///< of `usage`
  bool has_timings = false, failed = false;
  std::string_view reason;
};

class LlamaResponseReader {
 public:
  simdjson::error_code read(ondemand::object& object) {
    response_ = {};
    for (auto field : object) {
      ondemand::raw_json_string key;
      if (const auto code = field.key().get(key)) return code;
      ondemand::value value;
      if (const auto code = field.value().get(value)) return code;
      simdjson::error_code code = simdjson::SUCCESS;
      if (key == "created") note(take_span(value, std::chrono::seconds(1), response_.created));
      if (key == "error") response_.failed = !value.is_null();
      if (key == "usage") code = read_usage(value);
      if (key == "timings") code = read_timings(value);
      if (code) return code;
    }
    return simdjson::SUCCESS;
  }
  const LlamaResponse& response() const { return response_; }

  std::string_view reason_against() const {
    if (response_.failed) return refusal::failed;
    return response_.reason;
  }

  ReadRow row() const {
    ReadRow row;
    row.completion = response_.completion;
    row.cached = response_.cached;
    if (response_.cached && response_.computed) {
      row.prompt = *response_.cached + *response_.computed;
    } else {  // older builds do not tell what was cached
      row.prompt = response_.prompt;
      if (row.prompt && response_.computed && *response_.computed <= *row.prompt)
        row.cached = *row.prompt - *response_.computed;
    }
    if (response_.created)
      row.time =
          *response_.created - response_.prompt_time.value_or(Nanos(0)) - response_.completion_time.value_or(Nanos(0));
    return row;
  }

 private:
  simdjson::error_code read_usage(ondemand::value& value) {
    return for_each_field(value, [&](ondemand::raw_json_string key, ondemand::value& number) {
      if (key == "prompt_tokens") note(take_length(number, response_.prompt));
      return simdjson::SUCCESS;
    });
  }

  simdjson::error_code read_timings(ondemand::value& value) {
    response_.has_timings = true;
    return for_each_field(value, [&](ondemand::raw_json_string key, ondemand::value& number) {
      if (key == "cache_n") note(take_length(number, response_.cached));
      if (key == "prompt_n") note(take_length(number, response_.computed));
      if (key == "predicted_n") note(take_length(number, response_.completion));
      if (key == "prompt_ms")
        note(take_span(number, std::chrono::milliseconds(1), response_.prompt_time, refusal::malformed));
      if (key == "predicted_ms")
        note(take_span(number, std::chrono::milliseconds(1), response_.completion_time, refusal::malformed));
      return simdjson::SUCCESS;
    });
  }

  void note(std::string_view reason) {
    if (response_.reason.empty()) response_.reason = reason;
  }

  LlamaResponse response_;
};

/// Whether this log has times is settled by its first response.
void settle_times(const LlamaResponse& response, TraceBuilder& builder) {
  Trace& trace = builder.trace();
  trace.has_times = response.created.has_value();
  trace.time_zone = trace.has_times ? "UTC" : "";
  trace.time_resolution_ms = trace.has_times ? 1000 : 0;
  builder.remark(trace.has_times ? end_remark : no_times_remark);
}

}  // namespace

bool is_llama_server_responses(const LogHead& head) {
  const std::size_t brace = std::min(head.text().find('{'), head.text().size());
  return head.has("\"predicted_n\"") &&
         (has_top_level_key(head.text().substr(brace), "timings") || head.any_line([](std::string_view line) {
           return line.starts_with('{') && has_top_level_key(line, "timings");
         }));
}

void read_llama_server_responses(TextWindow& window, TraceBuilder& builder) {
  JsonRecordReader records(window);
  LlamaResponseReader reader;
  bool settled = false;
  read_json_lines(
      records, builder,
      [&](ondemand::object& object) -> simdjson::simdjson_result<std::string_view> {
        if (const auto code = reader.read(object)) return code;
        return reader.reason_against();
      },
      [&](std::uint64_t line) {
        const LlamaResponse& response = reader.response();
        if (!response.has_timings) return builder.filter(filter::streaming);  // a piece of a streamed answer
        if (!settled) settle_times(response, builder);
        settled = true;
        builder.add(reader.row(), line);
      });
  builder.filter(filter::blank, records.take_blank_lines());
}

}  // namespace loadline
