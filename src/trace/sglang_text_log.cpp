#include "trace/json_scalars.h"
#include "trace/line_reader.h"
#include "trace/python_repr.h"
#include "trace/sglang_log.h"
#include "trace/sglang_requests.h"

namespace loadline {
namespace {

/// "[2026-11-02 09:15:00 TP0] Receive: obj=...": where the event's own text begins.
struct EventMark {
  SglangEvent::Kind kind = SglangEvent::Kind::other;
  std::size_t at = 0;    ///< of the blank before the word
  std::size_t body = 0;  ///< of "obj="
};

EventMark find_mark(std::string_view line) {
  for (const auto& [word, kind] :
       {std::pair<std::string_view, SglangEvent::Kind>{" Receive: obj=", SglangEvent::Kind::received},
        {" Finish: obj=", SglangEvent::Kind::finished}}) {
    const std::size_t at = line.find(word);
    if (at != std::string_view::npos) return {kind, at, at + word.size() - 4};
  }
  return {};
}

/// The value where the log holds it whole; a cut one is two values with dots between.
bool is_cut_value(std::string_view value) { return value.find(" ... ") != std::string_view::npos; }

class SglangTextReader {
 public:
  /// Fills event() from a line; false where it tells of no request.
  bool read(std::string_view line) {
    event_ = {};
    const EventMark mark = find_mark(line);
    if (mark.kind == SglangEvent::Kind::other) return false;
    event_.kind = mark.kind;
    read_stamp(line.substr(0, mark.at));
    PythonPairs pairs(line.substr(mark.body));
    while (pairs.next()) {
      if (pairs.name() == "obj") read_request(pairs.value());
      if (pairs.name() == "out") read_answer(pairs.value());
      if (pairs.name() == "headers") read_headers(pairs.value());
    }
    sound_ = pairs.sound() && sound_;
    return true;
  }
  const SglangEvent& event() const { return event_; }
  /// Whether the line was what Python prints, to its end.
  bool sound() const { return sound_; }

 private:
  void read_stamp(std::string_view before) {
    sound_ = true;
    const std::size_t open = before.rfind('[');
    if (open == std::string_view::npos || before.back() != ']') return;
    const std::string_view inside = before.substr(open + 1, before.size() - open - 2);
    constexpr std::size_t date_and_blank = 11;
    event_.stamp = times_.read(inside.substr(0, inside.find(' ', date_and_blank)));  // a rank may follow
  }

  void read_request(std::string_view object) {
    if (!object.starts_with("GenerateReqInput")) event_.kind = SglangEvent::Kind::other;  // embeddings
    PythonPairs pairs(python_inside(object));
    while (pairs.next()) {
      if (pairs.name() == "rid") read_ids(pairs.value());
      if (pairs.name() == "text") read_prompt(pairs.value());
      if (pairs.name() == "input_ids") read_token_ids(pairs.value());
      if (pairs.name() == "sampling_params") read_sampling(pairs.value());
    }
    sound_ = sound_ && pairs.sound();
  }

  /// 'a' or ['a', 'b'].
  void read_ids(std::string_view value) {
    std::string_view rest = value.starts_with('[') ? python_inside(value) : value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view id = python_name(trimmed(rest.substr(0, comma)));
      if (!id.empty()) event_.ids.emplace_back(id);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }

  void read_prompt(std::string_view value) {
    if (value == "None") return;
    event_.text.clear();
    if (!append_python_text(value, event_.text)) {
      event_.text.clear();
      event_.is_cut = event_.is_cut || is_cut_value(value);
    }
  }

  void read_token_ids(std::string_view value) {
    if (value == "None") return;
    event_.is_cut = event_.is_cut || is_cut_value(value);
    event_.token_ids = python_inside(value);
  }

  void read_sampling(std::string_view value) {
    PythonPairs pairs(python_inside(value));
    while (pairs.next()) {
      if (pairs.name() == "max_new_tokens" && pairs.value() != "None")
        take_number(pairs.value(), event_.max_completion);
    }
  }

  void read_answer(std::string_view value) {
    PythonPairs pairs(python_inside(value));
    while (pairs.next()) {
      if (pairs.name() == "meta_info") read_meta(pairs.value());
    }
    sound_ = sound_ && pairs.sound();
  }

  void read_meta(std::string_view value) {
    PythonPairs pairs(python_inside(value));
    while (pairs.next()) {
      const std::string_view number = pairs.value();
      if (pairs.name() == "prompt_tokens") note(take_number(number, event_.prompt));
      if (pairs.name() == "completion_tokens") note(take_number(number, event_.completion));
      if (pairs.name() == "cached_tokens") note(take_number(number, event_.cached));
      if (pairs.name() == "e2e_latency") {
        if (const ParsedSpan span = parse_span(number, std::chrono::seconds(1)); span.ok()) event_.latency = span.value;
      }
      if (pairs.name() == "finish_reason") event_.failed = number.find("'type': 'abort'") != std::string_view::npos;
    }
    sound_ = sound_ && pairs.sound();
  }

  void read_headers(std::string_view value) {
    PythonPairs pairs(python_inside(value));
    while (pairs.next()) {
      if (pairs.name() == "x-smg-routing-key") event_.session = python_name(pairs.value());
    }
  }

  static std::string_view take_number(std::string_view text, std::optional<Tokens>& number) {
    if (text == "None") return {};
    const Parsed<Tokens> read = parse_length(text);
    if (read.ok()) number = read.value;
    return refusal_of(read.state);
  }

  void note(std::string_view reason) {
    if (event_.reason.empty()) event_.reason = reason;
  }

  SglangEvent event_;
  UtcTimeReader times_;
  bool sound_ = true;
};

/// Python prints lone surrogates escaped, so that a line is UTF-8 unless the file is broken.
std::string_view reason_against_line(const SglangTextReader& reader, const Line& line) {
  if (!simdjson::validate_utf8(line.text.data(), line.text.size())) return refusal::not_utf8;
  if (reader.sound()) return {};
  return line.ended ? refusal::malformed : refusal::truncated;
}

}  // namespace

bool is_sglang_text_log(const LogHead& head) {
  return !head.first_line().starts_with('{') && head.has("ReqInput(") &&
         (head.has("] Receive: obj=") || head.has("] Finish: obj="));
}

void read_sglang_text_log(TextWindow& window, TraceBuilder& builder) {
  SglangRequests requests(builder);
  LineReader lines(window);
  SglangTextReader reader;
  for (Line line; lines.next(line);) {
    if (!reader.read(line.text)) {
      builder.filter(trimmed(line.text).empty() ? filter::blank : filter::not_a_request);
      continue;
    }
    const std::string_view reason = reason_against_line(reader, line);
    if (reason.empty()) {
      requests.take(reader.event(), line.number);
    } else {
      builder.refuse(reason, line.number);
    }
  }
  requests.finish();
}

}  // namespace loadline
