#include "wire/http_response.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

struct Parsed {
  std::string body;
  std::string left;
  bool complete = false, failed = false, reusable = false;
  std::string problem;
  ResponseHead head;
  friend bool operator==(const Parsed& a, const Parsed& b) {
    return a.body == b.body && a.left == b.left && a.complete == b.complete && a.failed == b.failed &&
           a.reusable == b.reusable && a.head.status == b.head.status && a.head.content_type == b.head.content_type;
  }
};

/// Feeds the pieces [0, cut) and [cut, end), then the end of input.
Parsed parse(std::string_view input, std::size_t cut = 0, bool head_request = false) {
  HttpResponse response;
  response.reset(head_request);
  Parsed parsed;
  for (std::string_view piece : {input.substr(0, cut), input.substr(cut)}) {
    while (!piece.empty() && !response.complete() && !response.failed()) parsed.body += response.feed(piece);
    parsed.left += piece;
  }
  response.end_of_input();
  parsed.complete = response.complete();
  parsed.failed = response.failed();
  parsed.reusable = response.reusable();
  parsed.problem = response.problem();
  parsed.head = response.head();
  return parsed;
}

constexpr std::string_view chunked_stream =
    "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n"
    "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\nKeep-Alive: timeout=5, max=100\r\n"
    "Transfer-Encoding: chunked\r\n\r\n"
    "A;note=x\r\ndata: one\n\r\n1\r\n\n\r\n0b\r\ndata: two\n\n\r\n0\r\nX-Trailer: t\r\n\r\nLEFT";

TEST(HttpResponse, ReadsAChunkedStreamCutAtEveryByte) {
  const Parsed whole = parse(chunked_stream);
  EXPECT_EQ(whole.body, "data: one\n\ndata: two\n\n");
  EXPECT_EQ(whole.left, "LEFT");
  EXPECT_TRUE(whole.complete);
  EXPECT_TRUE(whole.reusable);
  EXPECT_EQ(whole.head.status, 200);
  EXPECT_EQ(whole.head.content_type, "text/event-stream");
  for (std::size_t cut = 1; cut < chunked_stream.size(); ++cut) {
    EXPECT_EQ(parse(chunked_stream, cut), whole) << "cut at " << cut;
  }
}

TEST(HttpResponse, TheHeadMayEndInTheBytesOfALastChunk) {
  const Parsed parsed = parse(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nKeep-Alive: timeout=5, max=100\r\n\r\n"
      "3\r\nabc\r\n0\r\n\r\n");
  EXPECT_EQ(parsed.body, "abc");
  EXPECT_TRUE(parsed.complete);
}

TEST(HttpResponse, ReadsByLengthAndUntilClose) {
  const Parsed by_length = parse("HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\n\r\nhelloHTTP");
  EXPECT_EQ(by_length.body, "hello");
  EXPECT_EQ(by_length.left, "HTTP");
  EXPECT_TRUE(by_length.reusable);
  const Parsed until_close = parse("HTTP/1.1 200 OK\r\n\r\nhello");
  EXPECT_EQ(until_close.body, "hello");
  EXPECT_TRUE(until_close.complete);
  EXPECT_FALSE(until_close.reusable);
  EXPECT_TRUE(parse("HTTP/1.1 204 No Content\r\n\r\n").complete);
  EXPECT_TRUE(parse("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", 0, true).complete);
}

TEST(HttpResponse, DecidesWhetherTheConnectionIsKept) {
  const auto kept = [](std::string_view first, std::string_view connection) {
    std::string text(first);
    text += "\r\nContent-Length: 0\r\n";
    text += connection;
    text += "\r\n";
    return parse(text).reusable;
  };
  EXPECT_TRUE(kept("HTTP/1.1 200 OK", ""));
  EXPECT_FALSE(kept("HTTP/1.1 200 OK", "Connection: Close\r\n"));
  EXPECT_FALSE(kept("HTTP/1.1 200 OK", "Connection: upgrade, close\r\n"));
  EXPECT_FALSE(kept("HTTP/1.0 200 OK", ""));
  EXPECT_TRUE(kept("HTTP/1.0 200", "Connection: keep-alive\r\n"));
}

TEST(HttpResponse, RefusesWhatCouldMoveTheEndOfTheBody) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  for (const std::string& text :
       {std::string("garbage\r\n"), std::string("HTTP/2 200\r\n"), std::string("HTTP/1.1 2x0 OK\r\n"),
        ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", ok + "Content-Length: 5x\r\n\r\n",
        ok + "Content-Length: -1\r\n\r\n", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", ok + "A: b\r\n folded\r\n\r\n", ok + "no colon\r\n\r\n",
        ok + "bad name : x\r\n\r\n", ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", ok + "Transfer-Encoding: chunked\r\n\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", std::string("HTTP/1.1 101 Up\r\n\r\n")}) {
    const Parsed parsed = parse(text);
    EXPECT_TRUE(parsed.failed) << text;
    EXPECT_FALSE(parsed.problem.empty()) << text;
    EXPECT_FALSE(parsed.complete);
  }
}

TEST(HttpResponse, ACutBodyIsNotComplete) {
  EXPECT_FALSE(parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell").complete);
  EXPECT_FALSE(parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n").complete);
  EXPECT_FALSE(parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n").complete);
  EXPECT_FALSE(parse("HTTP/1.1 200 OK\r\nContent-").complete);
}

TEST(HttpResponse, LimitsTheHead) {
  const std::string start = "HTTP/1.1 200 OK\r\nA: ";
  EXPECT_TRUE(parse(start + std::string(60'000, 'x') + "\r\nContent-Length: 0\r\n\r\n").complete);
  const Parsed too_long = parse(start + std::string(70'000, 'x'));
  EXPECT_TRUE(too_long.failed);
  EXPECT_NE(too_long.problem.find("64 KiB"), std::string::npos);
  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 10'000; ++i) many += "A: bcdef\r\n";
  EXPECT_TRUE(parse(many).failed);
}

TEST(HttpResponse, AHeadStaysKnownWhateverFollowsIt) {
  for (std::size_t cut = 0; cut < 60; ++cut) {
    HttpResponse response;
    const std::string_view input = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\noops\r\n";
    for (std::string_view piece : {input.substr(0, cut), input.substr(std::min(cut, input.size()))}) {
      while (!piece.empty() && !response.failed()) response.feed(piece);
    }
    EXPECT_TRUE(response.failed());
    EXPECT_TRUE(response.head_complete()) << cut;
  }
  HttpResponse response;
  std::string_view wrong = "HTTP/1.1 200 OK\r\nno colon\r\n";
  response.feed(wrong);
  EXPECT_TRUE(response.failed());
  EXPECT_FALSE(response.head_complete());
}

TEST(HttpResponse, CanBeUsedAgain) {
  HttpResponse response;
  std::string_view first = "HTTP/1.1 503 Busy\r\nServer: one\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nno";
  while (!first.empty()) response.feed(first);
  EXPECT_EQ(response.head().server, "one");
  EXPECT_EQ(response.head().retry_after_s, 7u);
  response.reset();
  EXPECT_FALSE(response.started());
  std::string_view second = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  std::string body;
  while (!second.empty() && !response.complete()) body += response.feed(second);
  EXPECT_EQ(body, "ok");
  EXPECT_TRUE(response.head().server.empty());
  EXPECT_FALSE(response.head().retry_after_s);
}

}  // namespace
}  // namespace loadline
