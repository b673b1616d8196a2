#include "target/trial.h"

#include <fmt/format.h>

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

void take_event(std::string_view data, std::string_view type, StreamEventReader& reader, TrialAnswer& answer) {
  const StreamEvent event = reader.read(StreamFormat::openai, type, data);
  if (event.malformed && type != "message") return;  // "event: ping" and the like, with data of their own
  if (event.is_error) {
    answer.trouble = fmt::format("an error inside the stream: {}", printable(event.error_message, 300));
  } else if (event.malformed) {
    answer.trouble = fmt::format("an event that is not JSON: {}", printable(data, 100));
  }
  if (event.usage) answer.usage = event.usage;
  if (event.carries_output) ++answer.output_events;
  answer.finished = answer.finished || event.finished || event.done;
}

void read_stream(StreamEventReader& reader, TrialAnswer& answer) {
  answer.streamed = true;
  SseParser sse;
  std::string_view bytes = answer.http.body;
  while (const std::optional<SseEvent> event = sse.next(bytes)) {
    if (event->kind == SseEvent::Kind::message) take_event(event->data, event->type, reader, answer);
  }
  if (sse.failed()) answer.trouble = std::string(sse.problem());
}

bool is_json(std::string_view content_type) {
  return content_type == "application/json" || content_type.ends_with("+json");
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
    return fmt::format("its answer is {}, not a stream of events; check that the URL is that of an OpenAI-style server",
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
  StreamEventReader reader;
  if (answer.http.reached != Reached::answered) {
    answer.trouble = answer.http.problem;
  } else if (!answer.http.ok()) {
    answer.trouble = fmt::format("HTTP {}: {}", answer.http.status, error_words(reader, answer.http.body));
  } else if (!is_json(answer.http.content_type)) {
    read_stream(reader, answer);
  } else {
    take_event(answer.http.body, "message", reader, answer);  // not streamed: the body may tell an error
  }
  answer.fingerprint = fingerprint_in(answer.http.body);
  if (answer.trouble.empty()) answer.trouble = streamed ? fault_of_stream(answer) : fault_of_whole(answer, endpoint);
  answer.finished = answer.finished && answer.trouble.empty();
  return answer;
}

}  // namespace loadline
