#include "target/trial.h"

#include <fmt/format.h>

#include "wire/json_lines.h"
#include "wire/running_tokens.h"
#include "wire/sse.h"

namespace loadline {
namespace {

/// The value of "system_fingerprint", which no count depends on: found in the bytes, escapes not undone.
std::string fingerprint_in(std::string_view body) {
  constexpr std::string_view member = "\"system_fingerprint\"";
  const std::size_t at = body.rfind(member);
  if (at == body.npos) return "";
  body.remove_prefix(at + member.size());
  const std::size_t start = body.find_first_not_of(": \t");
  if (start == body.npos || body[start] != '"') return "";
  const std::size_t end = body.find('"', start + 1);
  return end == body.npos ? "" : printable(body.substr(start + 1, end - start - 1), 200);
}

/// Reads one answer of an endpoint, in pieces or in one.
class TrialReader {
 public:
  TrialReader(StreamFormat format, TrialAnswer& answer) : format_(format), answer_(answer) { running_.reset(format); }

  void read_pieces() {
    answer_.streamed = true;
    std::string_view bytes = answer_.http.body;
    if (format_ == StreamFormat::ollama) return read_lines(bytes);
    SseParser sse;
    while (const std::optional<SseEvent> event = sse.next(bytes)) take(*event);
    while (const std::optional<SseEvent> event = sse.finish()) take(*event);
    if (sse.failed()) answer_.trouble = std::string(sse.problem());
  }

  void read_whole() {
    const StreamEvent event = reader_.read_whole(format_, answer_.http.body);
    note_trouble(event, answer_.http.body);
    if (!event.malformed) note(event);
  }

 private:
  void read_lines(std::string_view bytes) {
    JsonLines lines;
    while (const std::optional<std::string_view> line = lines.next(bytes)) take_data("message", *line);
    if (const std::optional<std::string_view> line = lines.finish()) take_data("message", *line);
    if (lines.failed()) answer_.trouble = std::string(lines.problem());
  }

  void take(const SseEvent& event) {
    if (event.kind == SseEvent::Kind::message) take_data(event.type, event.data);
  }

  void take_data(std::string_view type, std::string_view data) {
    const StreamEvent event = reader_.read(format_, type, data);
    if (event.malformed && type != "message") return;  // "event: ping" and the like, with data of their own
    note_trouble(event, data);
    if (!event.malformed) note(event);
  }

  void note_trouble(const StreamEvent& event, std::string_view data) {
    if (event.is_error) {
      answer_.trouble = fmt::format("an error inside the answer: {}", printable(event.error_message, 300));
    } else if (event.malformed) {
      answer_.trouble = fmt::format("the answer holds what is not JSON: {}", printable(data, 100));
    }
  }

  void note(const StreamEvent& event) {
    if (event.usage && !answer_.usage) answer_.usage.emplace();
    if (event.usage) answer_.usage->update(*event.usage);
    if (running_.take(event).is_output) ++answer_.output_events;
    answer_.finished = answer_.finished || event.finished || event.done;
  }

  StreamFormat format_;
  TrialAnswer& answer_;
  StreamEventReader reader_;
  RunningTokens running_;
};

bool is_json(std::string_view content_type) {
  return content_type == "application/json" || content_type.ends_with("+json");
}

/// Ollama's lines may come under any type: that they were asked for decides.
bool comes_in_pieces(const TrialAnswer& answer, const EndpointRow& endpoint, bool streamed) {
  const std::string& type = answer.http.content_type;
  if (!streamed) return type == "text/event-stream" || type == "application/x-ndjson";
  return endpoint.format == StreamFormat::ollama || !is_json(type);
}

constexpr std::string_view no_output =
    "the answer ended without one output token; check that the model generates text on this endpoint "
    "(--model, --endpoint-type)";

/// Why an answer in pieces that says no error is of no use; empty where it is.
std::string fault_of_stream(const TrialAnswer& answer) {
  const std::string& type = answer.http.content_type;
  if (!answer.streamed) {
    return "it answers in one piece, but times of tokens need a stream of events; let the server, or the gateway before "
           "it, stream, or measure whole answers with --no-stream";
  }
  if (!answer.finished && answer.output_events == 0 && type != "text/event-stream") {
    return fmt::format("its answer is {}, not a stream of events; check the URL and --endpoint-type",
                       type.empty() ? "of no type" : printable(type, 100));
  }
  if (!answer.finished) return "the answer ended without a finish_reason or [DONE]; look into the server's log";
  return answer.output_events == 0 ? std::string(no_output) : "";
}

/// The same of an answer in one piece.
std::string fault_of_whole(const TrialAnswer& answer, const EndpointRow& endpoint) {
  if (answer.streamed) return "it answers in pieces although one was asked for; leave out --no-stream";
  if (!answer.finished) return "the answer is not the whole one of this endpoint; check --endpoint-type";
  return endpoint.streams && answer.output_events == 0 ? std::string(no_output) : "";
}

}  // namespace

TrialAnswer try_request(const Server& server, const std::string& path, std::string body, Nanos timeout,
                        const EndpointRow& endpoint, bool streamed) {
  TrialAnswer answer;
  answer.http = fetch(server, {"POST", path, std::move(body), timeout});
  if (answer.http.reached != Reached::answered) {
    answer.trouble = answer.http.problem;
  } else if (!answer.http.ok()) {
    StreamEventReader reader;
    answer.trouble = fmt::format("HTTP {}: {}", answer.http.status, error_words(reader, answer.http.body));
  } else if (TrialReader reader(endpoint.format, answer); comes_in_pieces(answer, endpoint, streamed)) {
    reader.read_pieces();
  } else {
    reader.read_whole();
  }
  answer.fingerprint = fingerprint_in(answer.http.body);
  if (answer.trouble.empty()) answer.trouble = streamed ? fault_of_stream(answer) : fault_of_whole(answer, endpoint);
  answer.finished = answer.finished && answer.trouble.empty();
  return answer;
}

}  // namespace loadline
