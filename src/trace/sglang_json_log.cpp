#include "trace/characters.h"
#include "trace/json_lines.h"
#include "trace/json_scalars.h"
#include "trace/json_walk.h"
#include "trace/sglang_log.h"
#include "trace/sglang_requests.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

/// Lines that may be events, from their brace on; others are filtered.
class SglangJsonLines {
 public:
  SglangJsonLines(TextWindow& window, TraceBuilder& builder) : lines_(window), builder_(builder) {}

  bool next(Line& line) {
    while (lines_.next(line)) {
      const std::size_t brace = line.text.find("{\"");
      if (trimmed(line.text).empty()) return true;
      if (brace == std::string_view::npos || line.text.find("\"timestamp\"") == std::string_view::npos) {
        builder_.filter(filter::not_a_request);
        continue;
      }
      line.text.remove_prefix(brace);
      line.readable -= brace;
      return true;
    }
    return false;
  }

 private:
  LineReader lines_;
  TraceBuilder& builder_;
};

/// What the logger makes of a text of more than 2,048 characters at its default level: both halves around three dots.
bool is_cut_text(std::string_view text) {
  return text.find("...") != std::string_view::npos && count_characters(text) == 2048 + 3;
}

class SglangJsonReader {
 public:
  simdjson::error_code read(ondemand::object& object) {
    event_ = {};
    const auto read_one = [this](ondemand::raw_json_string key, ondemand::value& value) {
      return read_top_field(key, value);
    };
    if (const auto code = for_each_field(object, read_one)) return code;
    return simdjson::SUCCESS;
  }
  const SglangEvent& event() const { return event_; }

 private:
  simdjson::error_code read_top_field(ondemand::raw_json_string key, ondemand::value& value) {
    std::string_view text;
    if (key == "timestamp" && !value.get_string().get(text)) event_.stamp = times_.read(text);
    if (key == "event" && !value.get_string().get(text)) event_.kind = kind_of(text);
    if (key == "rid") return read_ids(value);
    if (key == "obj") return for_each_field(value, [&](auto name, auto& inner) { return read_request(name, inner); });
    if (key == "out") return for_each_field(value, [&](auto name, auto& inner) { return read_answer(name, inner); });
    if (key != "headers") return simdjson::SUCCESS;
    return for_each_field(value, [&](ondemand::raw_json_string name, ondemand::value& header) {
      if (name == "x-smg-routing-key" && !header.get_string().get(text)) event_.session = text;
      return simdjson::SUCCESS;
    });
  }

  static SglangEvent::Kind kind_of(std::string_view event) {
    if (event == "request.received") return SglangEvent::Kind::received;
    return event == "request.finished" ? SglangEvent::Kind::finished : SglangEvent::Kind::other;
  }

  simdjson::error_code read_ids(ondemand::value& value) {
    std::string_view id;
    if (!value.get_string().get(id)) {
      event_.ids.emplace_back(id);
      return simdjson::SUCCESS;
    }
    return for_each_element(value, [&](ondemand::value& element) {
      if (!element.get_string().get(id)) event_.ids.emplace_back(id);
      return simdjson::SUCCESS;
    });
  }

  simdjson::error_code read_request(ondemand::raw_json_string key, ondemand::value& value) {
    std::string_view text;
    if (key == "text" && !value.get_string().get(text)) {
      event_.text = text;
      event_.is_cut = is_cut_text(text);
    }
    ondemand::array ids;
    if (key == "input_ids" && !value.get_array().get(ids)) {
      if (const auto code = ids.raw_json().get(text)) return code;
      event_.token_ids = text.substr(1, text.size() - 2);
      event_.is_cut = event_.is_cut || text.find("...") != std::string_view::npos;
    }
    if (key != "sampling_params") return simdjson::SUCCESS;
    return for_each_field(value, [&](ondemand::raw_json_string name, ondemand::value& number) {
      if (name == "max_new_tokens") take_length(number, event_.max_completion);
      return simdjson::SUCCESS;
    });
  }

  simdjson::error_code read_answer(ondemand::raw_json_string key, ondemand::value& value) {
    if (key != "meta_info") return simdjson::SUCCESS;
    return for_each_field(value, [&](ondemand::raw_json_string name, ondemand::value& fact) -> simdjson::error_code {
      std::string_view reason;
      if (name == "prompt_tokens") reason = take_length(fact, event_.prompt);
      if (name == "completion_tokens") reason = take_length(fact, event_.completion);
      if (name == "cached_tokens") reason = take_length(fact, event_.cached);
      if (name == "e2e_latency") reason = take_span(fact, std::chrono::seconds(1), event_.latency, refusal::malformed);
      if (event_.reason.empty()) event_.reason = reason;
      if (name != "finish_reason") return simdjson::SUCCESS;
      return for_each_field(fact, [&](ondemand::raw_json_string part, ondemand::value& why) {
        std::string_view type;
        if (part == "type" && !why.get_string().get(type)) event_.failed = type == "abort";
        return simdjson::SUCCESS;
      });
    });
  }

  SglangEvent event_;
  UtcTimeReader times_;
};

}  // namespace

bool is_sglang_json_log(const LogHead& head) {
  return head.has("\"rid\"") && (head.has("\"request.received\"") || head.has("\"request.finished\""));
}

void read_sglang_json_log(TextWindow& window, TraceBuilder& builder) {
  SglangRequests requests(builder);
  SglangJsonLines lines(window, builder);
  SglangJsonReader reader;
  read_json_lines(
      lines, builder,
      [&](ondemand::object& object) -> simdjson::simdjson_result<std::string_view> {
        if (const auto code = reader.read(object)) return code;
        return std::string_view();
      },
      [&](std::uint64_t line) { requests.take(reader.event(), line); });
  requests.finish();
}

}  // namespace loadline
