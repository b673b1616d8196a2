// The whole pipeline over the recorded answers of real engines, where they are at hand: framing, events, chunks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "wire/http_response.h"
#include "wire/sse.h"
#include "wire/stream_event.h"

namespace loadline {
namespace {

struct Digest {
  std::uint16_t status = 0;
  std::string content_type;
  bool complete = false, failed = false, done = false, finished = false, mid_event = false;
  int messages = 0, outputs = 0, answers = 0, errors = 0, malformed = 0, strays = 0;
  std::optional<std::int64_t> completion_tokens;
  friend bool operator==(const Digest&, const Digest&) = default;
};

void count(const SseEvent& event, StreamEventReader& reader, Digest& digest) {
  if (event.kind == SseEvent::Kind::stray) {
    ++digest.strays;
    return;
  }
  ++digest.messages;
  const StreamEvent chunk = reader.read(StreamFormat::openai, event.type, event.data);
  digest.done |= chunk.done;
  digest.finished |= chunk.finished;
  digest.outputs += chunk.carries_output;
  digest.answers += chunk.carries_answer;
  digest.errors += chunk.is_error;
  digest.malformed += chunk.malformed;
  if (chunk.usage) digest.completion_tokens = chunk.usage->completion_tokens;
}

Digest digest_of(std::string_view response, std::size_t piece) {
  HttpResponse http;
  SseParser sse;
  StreamEventReader reader;
  Digest digest;
  for (std::size_t at = 0; at < response.size(); at += piece) {
    std::string_view bytes = response.substr(at, piece);
    while (!bytes.empty() && !http.complete() && !http.failed()) {
      std::string_view body = http.feed(bytes);
      if (http.head().content_type != "text/event-stream") continue;
      while (const std::optional<SseEvent> event = sse.next(body)) count(*event, reader, digest);
    }
  }
  http.end_of_input();
  digest.status = http.head().status;
  digest.content_type = http.head().content_type;
  digest.complete = http.complete();
  digest.failed = http.failed();
  digest.mid_event = sse.mid_event();
  return digest;
}

std::string response_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string mark = "<<< response\n";
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? std::string() : text.substr(at + mark.size());
}

TEST(Samples, EveryRecordedStreamIsUnderstood) {
  const char* shared = std::getenv("LOADLINE_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "LOADLINE_SHARED is not set: no recorded answers at hand";
  int streams = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(shared) / "engines/samples")) {
    const std::string name = entry.path().filename().string();
    if (name.find(".timed.") != std::string::npos) continue;
    const std::string response = response_in(entry.path());
    if (response.empty()) continue;
    const Digest whole = digest_of(response, response.size());
    if (whole.content_type != "text/event-stream") continue;
    ++streams;
    EXPECT_FALSE(whole.failed) << name;
    EXPECT_EQ(whole.malformed, 0) << name;
    if (whole.done) {
      EXPECT_TRUE(whole.finished || whole.errors > 0) << name;
      EXPECT_GT(whole.outputs + whole.errors, 0) << name;
      EXPECT_FALSE(whole.mid_event) << name;
    }
    if (name.find("killed") != std::string::npos) {
      EXPECT_FALSE(whole.complete || whole.done) << name;
    }
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
      EXPECT_EQ(digest_of(response, piece), whole) << name << " in pieces of " << piece;
    }
  }
  EXPECT_GT(streams, 20);
}

}  // namespace
}  // namespace loadline
