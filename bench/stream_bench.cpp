// What one streamed event costs the client between the socket and the record: HTTP chunk, SSE, JSON. The reference is
// the same bytes split at blank lines and given to nlohmann-json, as a simple client would. Take the ratio, not the
// nanoseconds.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "wire/http_response.h"
#include "wire/sse.h"
#include "wire/stream_event.h"

namespace {

using namespace loadline;

constexpr int events = 200'000;
constexpr int rounds = 5;

std::string event_text(int i) {
  return fmt::format(
      "data: {{\"id\":\"cmpl-{}\",\"object\":\"text_completion\",\"created\":1790000000,\"model\":\"m\",\"choices\":[{{\"index\":0,\"text\":\" word{}\","
      "\"logprobs\":null,\"finish_reason\":null}}],\"usage\":null}}\n\n",
      i % 64, i);
}

std::string chunked_response() {
  std::string bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < events; ++i) {
    const std::string event = event_text(i);
    bytes += fmt::format("{:x}\r\n{}\r\n", event.size(), event);
  }
  return bytes + "0\r\n\r\n";
}

double nanoseconds_an_event(auto&& action) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    action();
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
                    events);
  }
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[rounds / 2];
}

int count_with_wire(std::string_view bytes, std::size_t read_size) {
  HttpResponse response;
  SseParser sse;
  StreamEventReader reader;
  response.reset();
  sse.reset();
  int output = 0;
  for (std::size_t at = 0; at < bytes.size(); at += read_size) {
    std::string_view read = bytes.substr(at, read_size);
    while (!read.empty() && !response.complete() && !response.failed()) {
      std::string_view body = response.feed(read);
      while (const std::optional<SseEvent> event = sse.next(body))
        output += reader.read(StreamFormat::openai, event->type, event->data).carries_output ? 1 : 0;
    }
  }
  return output;
}

int count_with_nlohmann(std::string_view bytes) {
  int output = 0;
  for (std::size_t at = bytes.find("data: "); at != std::string_view::npos; at = bytes.find("data: ", at + 1)) {
    const std::size_t end = bytes.find("\n\n", at);
    const nlohmann::json event = nlohmann::json::parse(bytes.substr(at + 6, end - at - 6));
    output += event["choices"][0]["text"].get<std::string>().empty() ? 0 : 1;
  }
  return output;
}

}  // namespace

int main() {
  const std::string bytes = chunked_response();
  int seen = 0;
  const double reference = nanoseconds_an_event([&] { seen = count_with_nlohmann(bytes); });
  fmt::print("reference, nlohmann-json on split text: {:7.0f} ns an event ({} events)\n", reference, seen);
  for (const std::size_t read_size : {std::size_t{250}, std::size_t{1460}, std::size_t{65536}}) {
    const double ours = nanoseconds_an_event([&] { seen = count_with_wire(bytes, read_size); });
    fmt::print(
        "wire, reads of {:5} bytes:               {:7.0f} ns an event, {:.1f} times the reference's speed ({} events)\n",
        read_size, ours, reference / ours, seen);
  }
  return seen == events ? 0 : 1;
}
