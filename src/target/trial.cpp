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

void take_event(std::string_view data, OpenAiEventReader& reader, TrialAnswer& answer) {
  const OpenAiEvent event = reader.read(data);
  if (event.is_error) {
    answer.trouble = fmt::format("an error inside the stream: {}", printable(event.error_message, 300));
  } else if (event.malformed) {
    answer.trouble = fmt::format("an event that is not JSON: {}", printable(data, 100));
  }
  if (event.usage) answer.usage = event.usage;
  if (event.carries_output) ++answer.output_events;
  answer.finished = answer.finished || event.finished || event.done;
}

void read_stream(OpenAiEventReader& reader, TrialAnswer& answer) {
  answer.streamed = true;
  SseParser sse;
  std::string_view bytes = answer.http.body;
  while (const std::optional<SseEvent> event = sse.next(bytes)) {
    if (event->kind == SseEvent::Kind::message) take_event(event->data, reader, answer);
  }
  if (sse.failed()) answer.trouble = std::string(sse.problem());
}

}  // namespace

TrialAnswer try_request(const Server& server, const std::string& path, std::string body, Nanos timeout) {
  TrialAnswer answer;
  answer.http = fetch(server, {"POST", path, std::move(body), timeout});
  OpenAiEventReader reader;
  if (answer.http.reached != Reached::answered) {
    answer.trouble = answer.http.problem;
  } else if (!answer.http.ok()) {
    answer.trouble = fmt::format("HTTP {}: {}", answer.http.status, error_words(reader, answer.http.body));
  } else if (answer.http.content_type == "text/event-stream") {
    read_stream(reader, answer);
  } else {
    take_event(answer.http.body, reader,
               answer);  // the server does not stream: one body with the same members
  }
  answer.fingerprint = fingerprint_in(answer.http.body);
  if (answer.trouble.empty() && !answer.finished)
    answer.trouble = "the answer ended without a finish_reason or [DONE]";
  answer.finished = answer.finished && answer.trouble.empty();
  return answer;
}

}  // namespace loadline
