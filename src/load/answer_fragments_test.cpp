// An answer is what its bytes say, however they were cut on the way. Read byte by byte, with one instant a byte, an
// answer tells at which byte each of its events is complete; from that follows what every other fragmentation must
// give, instants and gaps too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "load/answer_shapes_test.h"

namespace loadline {
namespace {

using shapes::Shape;

constexpr std::string_view closed_early = "the server closed the connection before the answer was complete";
constexpr std::int64_t byte_ns = 1000;  // between two bytes that come alone: ten gap units
const RunTime early = run_time(1'000'000), late = run_time(5'000'000);

struct Answered {
  RequestRecord record;
  std::vector<std::uint32_t> gaps;
  std::string text;
};

struct Piece {
  std::string_view bytes;
  RunTime at;
};

Answered read_pieces(const Shape& shape, const std::vector<Piece>& pieces) {
  static StreamEventReader reader;
  static AnswerReader answer;
  Answered result;
  ExpectedAnswer expected = shape.asked;
  expected.keep_text = true;
  answer.begin(expected);
  bool over = false;
  for (const Piece& piece : pieces) {
    if (over || piece.bytes.empty()) continue;
    over = answer.on_bytes(piece.bytes, {piece.at, Stamp::kernel}, reader, result.record);
  }
  const bool complete = over || answer.on_end_of_input(reader, result.record);
  answer.conclude(complete ? AnswerEnd::complete : AnswerEnd::cut, closed_early, reader, result.record);
  result.gaps = answer.gaps();
  result.text = answer.text();
  return result;
}

void expect_found(const Shape& shape, const Answered& got) {
  shapes::expect_record(shape, got.record);
  EXPECT_EQ(got.text, shape.found.text) << shape.name;
  EXPECT_EQ(got.gaps.size(), got.record.first_token ? got.record.events - 1 : 0) << shape.name;
}

/// Where the events of an answer are complete: indices into its bytes.
struct Places {
  std::vector<std::size_t> events;
  std::optional<std::size_t> first_answer, last;
};

std::size_t index_of(RunTime at) { return static_cast<std::size_t>((at - early).count() / byte_ns); }

Places places_of(const Answered& by_byte) {
  Places places;
  const RequestRecord& r = by_byte.record;
  if (r.last_token) places.last = index_of(*r.last_token);
  if (r.first_answer) places.first_answer = index_of(*r.first_answer);
  if (!r.first_token) return places;
  places.events.push_back(index_of(*r.first_token));
  for (const std::uint32_t gap : by_byte.gaps) {
    EXPECT_EQ(gap * nanos_per_gap_unit % byte_ns, 0) << "a whole number of bytes";
    places.events.push_back(places.events.back() + gap * nanos_per_gap_unit / byte_ns);
  }
  return places;
}

/// The answer whose first `cut` bytes came early and whose others came late.
Answered cut_of(const Answered& by_byte, const Places& places, std::size_t cut) {
  Answered result = by_byte;
  RequestRecord& r = result.record;
  const auto arrival = [&](std::size_t place) { return place < cut ? early : late; };
  r.first_byte = by_byte.record.first_byte ? std::optional(arrival(0)) : std::nullopt;
  if (places.last) r.last_token = arrival(*places.last);
  if (places.first_answer) r.first_answer = arrival(*places.first_answer);
  result.gaps.clear();
  std::size_t zero_gaps = 0;
  for (std::size_t i = 0; i < places.events.size(); ++i) {
    const RunTime at = arrival(places.events[i]);
    if (i == 0) {
      r.first_token = at;
      continue;
    }
    const Nanos gap = at - arrival(places.events[i - 1]);
    zero_gaps += gap.count() == 0 ? 1 : 0;
    result.gaps.push_back(static_cast<std::uint32_t>(gap.count() / nanos_per_gap_unit));
  }
  r.coalesced = 2 * zero_gaps > result.gaps.size();
  return result;
}

bool same(const Answered& a, const Answered& b) {
  const RequestRecord &x = a.record, &y = b.record;
  return x.first_byte == y.first_byte && x.first_token == y.first_token && x.first_answer == y.first_answer &&
         x.last_token == y.last_token && x.stamp == y.stamp && x.prompt_tokens == y.prompt_tokens &&
         x.completion_tokens == y.completion_tokens && x.reasoning_tokens == y.reasoning_tokens &&
         x.cached_tokens == y.cached_tokens && x.token_source == y.token_source && x.events == y.events &&
         x.first_event_tokens == y.first_event_tokens && x.single_token_events == y.single_token_events &&
         x.coalesced == y.coalesced && x.http_status == y.http_status && x.outcome == y.outcome &&
         x.retry_after == y.retry_after && x.message == y.message && a.gaps == b.gaps && a.text == b.text;
}

Answered read_by_byte(const Shape& shape) {
  std::vector<Piece> pieces;
  const std::string_view bytes = shape.bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    pieces.push_back({bytes.substr(i, 1), early + Nanos(static_cast<std::int64_t>(i) * byte_ns)});
  }
  return read_pieces(shape, pieces);
}

/// Cuts at every `stride`-th byte.
void expect_same_for_every_cut(const Shape& shape, std::size_t stride = 1) {
  const Answered by_byte = read_by_byte(shape);
  const Places places = places_of(by_byte);
  const std::string_view bytes = shape.bytes;
  for (std::size_t cut = 0; cut <= bytes.size(); cut += stride) {
    const Answered got = read_pieces(shape, {{bytes.substr(0, cut), early}, {bytes.substr(cut), late}});
    ASSERT_TRUE(same(got, cut_of(by_byte, places, cut)))
        << shape.name << ", cut at byte " << cut << " of " << bytes.size() << ": " << got.record.message;
  }
}

TEST(AnswerFragments, EveryShapeIsReadRight) {
  for (const Shape& shape : shapes::all_shapes()) {
    expect_found(shape, read_pieces(shape, {{shape.bytes, early}}));
    expect_found(shape, read_by_byte(shape));
  }
}

TEST(AnswerFragments, EveryCutOfEveryShapeGivesTheSame) {
  for (const Shape& shape : shapes::all_shapes()) expect_same_for_every_cut(shape);
}

/// The same answer, its framing undone by somebody else.
Answered read_unframed(const Shape& shape) {
  static StreamEventReader reader;
  static AnswerReader answer;
  Answered result;
  ExpectedAnswer expected = shape.asked;
  expected.keep_text = true;
  answer.begin(expected);
  HttpResponse http;
  std::string_view bytes = shape.bytes;
  bool has_head = false;
  while (!bytes.empty() && !http.complete() && !http.failed()) {
    const std::string_view body = http.feed(bytes);
    if (http.head_complete() && !has_head) answer.on_head(http.head(), {early, Stamp::kernel}, result.record);
    has_head = http.head_complete();
    if (!body.empty() && answer.on_body(body, {early, Stamp::kernel}, reader, result.record)) break;
  }
  http.end_of_input();
  if (http.failed()) answer.on_framing_failed(http.problem());
  if (http.complete()) answer.on_body_end(reader, result.record);
  answer.conclude(http.complete() ? AnswerEnd::complete : AnswerEnd::cut, closed_early, reader, result.record);
  result.gaps = answer.gaps();
  result.text = answer.text();
  return result;
}

TEST(AnswerFragments, AnyFramingGivesTheSame) {
  for (const Shape& shape : shapes::all_shapes()) {
    Answered framed = read_pieces(shape, {{shape.bytes, early}});
    const Answered unframed = read_unframed(shape);
    if (!unframed.record.first_byte) framed.record.first_byte.reset();  // whose head never came whole
    EXPECT_TRUE(same(unframed, framed)) << shape.name << ": " << unframed.record.message;
  }
}

TEST(AnswerFragments, ALineOf16MiBIsReadAndALongerOneRefused) {
  const auto answer_of = [](std::size_t words) {
    Shape shape{"long line", "", {}};
    const std::string before = R"(data: {"choices":[{"text":")", after = R"(","finish_reason":"stop"}]})";
    const std::size_t line = 16 * 1024 * 1024 - before.size() - after.size() + words;
    shape.bytes = shapes::stream_of(before + std::string(line, 'x') + after + "\n\n");
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < shape.bytes.size(); at += 65'536) {
      pieces.push_back(
          {std::string_view(shape.bytes).substr(at, 65'536), early + Nanos(static_cast<std::int64_t>(at))});
    }
    return read_pieces(shape, pieces);
  };
  const Answered longest = answer_of(0);
  EXPECT_EQ(longest.record.outcome, Outcome::ok) << longest.record.message;
  EXPECT_GT(longest.text.size(), 16'000'000u);
  const Answered longer = answer_of(1);
  EXPECT_EQ(longer.record.outcome, Outcome::protocol_error);
  EXPECT_NE(longer.record.message.find("16 MiB"), std::string::npos) << longer.record.message;
}

std::string response_recorded_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string mark = "<<< response\n";
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? std::string() : text.substr(at + mark.size());
}

TEST(AnswerFragments, EveryCutOfEveryRecordedAnswerGivesTheSame) {
  const char* shared = std::getenv("LOADLINE_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "LOADLINE_SHARED is not set: no recorded answers at hand";
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(shared) / "engines/samples")) {
    const std::string file = entry.path().filename().string();
    if (file.find(".timed.") != std::string::npos) continue;
    Shape shape{file, response_recorded_in(entry.path()), {}};
    if (shape.bytes.empty()) continue;
    ++read;
    if (file.find("native") != std::string::npos) shape.asked.format = StreamFormat::llamacpp;
    shape.asked.streamed = shape.bytes.find("text/event-stream") != std::string::npos;
    expect_same_for_every_cut(shape, shape.bytes.size() > 20'000 ? 97 : 1);
  }
  EXPECT_GT(read, 60);
}

}  // namespace
}  // namespace loadline
