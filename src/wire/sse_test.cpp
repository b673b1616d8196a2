#include "wire/sse.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

using Events = std::vector<std::string>;  // "type|data", strays as "?|line"

struct Stream {
  Events events;
  bool mid_event = false;
  friend bool operator==(const Stream&, const Stream&) = default;
};

void feed(SseParser& parser, std::string_view bytes, Stream& stream) {
  while (const std::optional<SseEvent> event = parser.next(bytes)) {
    const std::string type = event->kind == SseEvent::Kind::stray ? "?" : std::string(event->type);
    stream.events.push_back(type + "|" + std::string(event->data));
  }
}

Stream read_in_pieces(std::string_view input, std::size_t piece) {
  SseParser parser;
  Stream stream;
  for (std::size_t at = 0; at < input.size(); at += piece) feed(parser, input.substr(at, piece), stream);
  stream.mid_event = parser.mid_event();
  return stream;
}

Stream read_whole(std::string_view input) { return read_in_pieces(input, std::max<std::size_t>(input.size(), 1)); }

TEST(Sse, ReadsTheGrammar) {
  EXPECT_EQ(read_whole("data: a\n\n").events, Events{"message|a"});
  EXPECT_EQ(read_whole("data:a\n\ndata:  b\n\n").events, (Events{"message|a", "message| b"}));
  EXPECT_EQ(read_whole("data: a\ndata: b\ndata\ndata:\n\n").events, Events{"message|a\nb\n\n"});
  EXPECT_EQ(read_whole("event: ping\ndata: x\n\ndata: y\n\n").events, (Events{"ping|x", "message|y"}));
  EXPECT_EQ(read_whole("event: ping\n\ndata: y\n\n").events, Events{"message|y"});
  EXPECT_EQ(read_whole(": comment\n\n:\n\ndata: x\n: inside\n\n").events, Events{"message|x"});
  EXPECT_EQ(read_whole("data:\n\n").events, Events{"message|"});
  EXPECT_EQ(read_whole("\n\n\n").events, Events{});
  EXPECT_EQ(read_whole("\xEF\xBB\xBF"
                       "data: x\n\n")
                .events,
            Events{"message|x"});
  EXPECT_EQ(read_whole("data: \xEF\xBB\xBF\n\n").events, Events{"message|\xEF\xBB\xBF"});
  EXPECT_EQ(read_whole("error: {\"code\":5}\n\n{\"error\":1}\n").events,
            (Events{"?|error: {\"code\":5}", "?|{\"error\":1}"}));
  EXPECT_EQ(read_whole("Data: x\n\n").events, Events{"?|Data: x"});
}

TEST(Sse, EndsLinesWithLfCrOrCrlf) {
  const Events two{"message|a", "message|b"};
  EXPECT_EQ(read_whole("data: a\n\ndata: b\n\n").events, two);
  EXPECT_EQ(read_whole("data: a\r\rdata: b\r\r").events, two);
  EXPECT_EQ(read_whole("data: a\r\n\r\ndata: b\r\n\r\n").events, two);
  EXPECT_EQ(read_whole("data: a\r\n\ndata: b\n\r").events, two);
  EXPECT_EQ(read_whole("data: a\r").events, Events{}) << "one line end is not two";
  EXPECT_EQ(read_whole("data: a\r\n").events, Events{});
}

TEST(Sse, AnEventIsThereAtItsLastCr) {
  SseParser parser;
  Stream stream;
  feed(parser, "data: a\r\n\r", stream);
  EXPECT_EQ(stream.events, Events{"message|a"}) << "the LF is not waited for";
  feed(parser, "\ndata: b\r\n\r\n", stream);
  EXPECT_EQ(stream.events, (Events{"message|a", "message|b"}));
}

TEST(Sse, EveryFragmentationGivesTheSame) {
  const std::string input =
      "\xEF\xBB\xBF: hi\r\n\r\nevent: e\rdata: caf\xC3\xA9 \xF0\x9F\x98\x80\r\ndata:second\n\r\nid: 7\nretry: 250\n"
      "odd: line\ndata: {\"a\":\"\\n\"}\n\n:\n\ndata: [DONE]\r\n\r\n";
  const Stream whole = read_whole(input);
  ASSERT_EQ(whole.events, (Events{"e|caf\xC3\xA9 \xF0\x9F\x98\x80\nsecond", "?|odd: line", "message|{\"a\":\"\\n\"}",
                                  "message|[DONE]"}));
  for (std::size_t piece = 1; piece < input.size(); ++piece) EXPECT_EQ(read_in_pieces(input, piece), whole) << piece;
  for (std::size_t cut = 0; cut <= input.size(); ++cut) {
    SseParser parser;
    Stream stream;
    feed(parser, std::string_view(input).substr(0, cut), stream);
    feed(parser, std::string_view(input).substr(cut), stream);
    stream.mid_event = parser.mid_event();
    EXPECT_EQ(stream, whole) << "cut at " << cut;
  }
}

TEST(Sse, AnUnfinishedEventIsDiscardedAndTold) {
  EXPECT_FALSE(read_whole("data: a\n\n").mid_event);
  for (const char* cut : {"data: a\n\ndata: b", "data: a\n\ndata: b\n", "data: a\n\nda", "data: a\n\nevent: e\n"}) {
    const Stream stream = read_whole(cut);
    EXPECT_EQ(stream.events, Events{"message|a"}) << cut;
    EXPECT_TRUE(stream.mid_event) << cut;
  }
}

TEST(Sse, AnInputThatIsOverGivesWhatWaits) {
  const auto finished = [](std::string_view input) {
    SseParser parser;
    Stream stream;
    feed(parser, input, stream);
    stream.events.clear();
    while (const std::optional<SseEvent> event = parser.finish()) {
      const std::string type = event->kind == SseEvent::Kind::stray ? "?" : std::string(event->type);
      stream.events.push_back(type + "|" + std::string(event->data));
    }
    EXPECT_FALSE(parser.mid_event()) << input;
    return stream.events;
  };
  EXPECT_EQ(finished("data: a\n\ndata: b\n"), Events{"message|b"});
  EXPECT_EQ(finished("data: a\n\ndata: b"), Events{"message|b"});
  EXPECT_EQ(finished("data: b\r"), Events{"message|b"});
  EXPECT_EQ(finished("event: e\ndata: a\ndata: b"), Events{"e|a\nb"});
  EXPECT_EQ(finished("data: a\nerror: x"), (Events{"?|error: x", "message|a"}));
  EXPECT_EQ(finished("data: a\n\n"), Events{});
  EXPECT_EQ(finished("event: e\n"), Events{});
  EXPECT_EQ(finished(": bye"), Events{});
  EXPECT_EQ(finished(""), Events{});
}

TEST(Sse, IdAndRetryAreNoEvents) {
  EXPECT_EQ(read_whole("id: 41\nretry: 1500\nid\n\ndata: a\nid: 42\nretry: 2s\n\n").events, Events{"message|a"});
}

TEST(Sse, TakesLongLinesUpToTheLimit) {
  const std::string long_data(SseParser::line_limit - 10, 'x');
  EXPECT_EQ(read_in_pieces("data: " + long_data + "\n\n", 65'536).events, Events{"message|" + long_data});
  SseParser parser;
  Stream stream;
  const std::string piece(65'536, 'x');
  for (int i = 0; i < 300; ++i) feed(parser, piece, stream);
  EXPECT_TRUE(parser.failed());
  EXPECT_NE(parser.problem().find("16 MiB"), std::string_view::npos);
  feed(parser, "\n\ndata: a\n\n", stream);
  EXPECT_TRUE(stream.events.empty());
  parser.reset();
  feed(parser, "data: a\n\n", stream);
  EXPECT_EQ(stream.events, Events{"message|a"});
}

TEST(Sse, LimitsTheDataOfOneEvent) {
  SseParser parser;
  Stream stream;
  const std::string line = "data: " + std::string(1 << 20, 'x') + "\n";
  for (int i = 0; i < 20; ++i) feed(parser, line, stream);
  EXPECT_TRUE(parser.failed());
}

}  // namespace
}  // namespace loadline
