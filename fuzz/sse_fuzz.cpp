// A stream of server-sent events, or of JSON lines, of any bytes: the same however it is cut.
#include <string>

#include "fragments.h"
#include "wire/json_lines.h"
#include "wire/sse.h"

namespace {

using namespace loadline;
using Texts = std::vector<std::string>;

void note_event(const SseEvent& event, Texts& events) {
  const char* kind = event.kind == SseEvent::Kind::stray ? "stray" : "message";
  events.push_back(std::string(kind) + "|" + std::string(event.type) + "|" + std::string(event.data));
}

Texts read_events(const std::vector<std::string_view>& pieces) {
  SseParser sse;
  Texts events;
  for (std::string_view piece : pieces) {
    while (const std::optional<SseEvent> event = sse.next(piece)) note_event(*event, events);
    fuzz::must(piece.empty(), "all bytes are taken");
  }
  events.push_back(sse.mid_event() ? "inside" : "between");
  while (const std::optional<SseEvent> event = sse.finish()) note_event(*event, events);
  return events;
}

Texts read_lines(const std::vector<std::string_view>& pieces) {
  JsonLines lines;
  Texts read;
  for (std::string_view piece : pieces) {
    while (const std::optional<std::string_view> line = lines.next(piece)) read.emplace_back(*line);
    fuzz::must(piece.empty(), "all bytes are taken");
  }
  read.push_back(lines.mid_line() ? "inside" : "between");
  if (const std::optional<std::string_view> line = lines.finish()) read.emplace_back(*line);
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::uint64_t seed = fuzz::take_byte(bytes);
  const auto pieces = fuzz::fragments_of(bytes, seed);
  const auto singles = fuzz::single_bytes_of(bytes);
  std::vector<std::string_view> whole = {bytes};
  fuzz::must(read_events(whole) == read_events(singles), "events: single bytes give the same");
  fuzz::must(read_events(whole) == read_events(pieces), "events: fragments give the same");
  fuzz::must(read_lines(whole) == read_lines(singles), "lines: single bytes give the same");
  fuzz::must(read_lines(whole) == read_lines(pieces), "lines: fragments give the same");
  return 0;
}
