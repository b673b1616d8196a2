#include "wire/http_request_parser.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

void feed_request(HttpRequestParser& request, std::string_view bytes, std::size_t piece) {
  while (!bytes.empty() && !request.complete() && !request.failed()) {
    std::string_view part = bytes.substr(0, piece);
    const std::size_t before = part.size();
    request.feed(part);
    bytes.remove_prefix(before - part.size());
  }
}

TEST(HttpRequestParser, reads_a_request_in_any_pieces) {
  const std::string bytes =
      "\r\nPOST /v1/completions?a=b HTTP/1.1\r\nHost: here\r\ncontent-TYPE:  Application/JSON; charset=utf-8 \r\n"
      "X-Empty:\r\nContent-Length: 5\r\n\r\nhello";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    HttpRequestParser request;
    feed_request(request, bytes, piece);
    ASSERT_TRUE(request.complete()) << request.problem();
    EXPECT_EQ(request.head().method, "POST");
    EXPECT_EQ(request.head().path, "/v1/completions");
    EXPECT_EQ(request.head().query, "a=b");
    EXPECT_EQ(request.head().content_type, "application/json");
    EXPECT_TRUE(request.head().keep_alive);
    EXPECT_EQ(request.body(), "hello");
  }
}

TEST(HttpRequestParser, reads_a_chunked_body_in_any_pieces) {
  const std::string bytes =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n5;name=value\r\nhello\r\nA\r\n, wide wor\r\n"
      "2\r\nld\r\n0\r\nTrailer: ignored\r\n\r\n";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    HttpRequestParser request;
    feed_request(request, bytes, piece);
    ASSERT_TRUE(request.complete()) << request.problem();
    EXPECT_EQ(request.body(), "hello, wide world");
  }
}

TEST(HttpRequestParser, leaves_the_next_request_alone) {
  const std::string one = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string both = one + one;
  std::string_view bytes = both;
  HttpRequestParser request;
  EXPECT_FALSE(request.started());
  request.feed(bytes);
  EXPECT_TRUE(request.complete());
  EXPECT_EQ(bytes, one);
  request.reset();
  EXPECT_FALSE(request.started());
  request.feed(bytes);
  EXPECT_TRUE(request.complete());
  EXPECT_TRUE(bytes.empty());
}

TEST(HttpRequestParser, knows_who_keeps_the_connection) {
  const auto keeps = [](std::string_view line_and_headers) {
    HttpRequestParser request;
    const std::string bytes = std::string(line_and_headers) + "Host: x\r\n\r\n";
    feed_request(request, bytes, 1000);
    EXPECT_TRUE(request.complete());
    return request.head().keep_alive;
  };
  EXPECT_TRUE(keeps("GET / HTTP/1.1\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nConnection: foo, Close\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n"));
}

TEST(HttpRequestParser, says_when_the_peer_waits_to_continue) {
  HttpRequestParser request;
  feed_request(request, "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n", 1000);
  EXPECT_TRUE(request.head_complete());
  EXPECT_FALSE(request.complete());
  EXPECT_TRUE(request.head().expects_continue);
}

struct RefusedRequest {
  std::string_view bytes;
  std::uint16_t status;
};

TEST(HttpRequestParser, refuses_what_it_would_have_to_guess) {
  constexpr std::string_view head = "POST / HTTP/1.1\r\nHost: x\r\n";
  const RefusedRequest cases[] = {
      {"GET /\r\n", 400},
      {"GET  / HTTP/1.1\r\n", 400},
      {"G@T / HTTP/1.1\r\n", 400},
      {"GET http://x/ HTTP/1.1\r\n", 400},
      {"GET / HTTP/2.0\r\n", 505},
      {"GET / http/1.1\r\n", 400},
      {"GET / HTTP/1.1\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : x\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n", 400},
      {"GET / HTTP/1.1\r\nA: \x01\r\n", 400},
      {"+Content-Length: -1\r\n", 400},
      {"+Content-Length: 1, 1\r\n", 400},
      {"+Content-Length: 99999999999999999999\r\n", 400},
      {"+Content-Length: 1\r\nContent-Length: 1\r\n", 400},
      {"+Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"+Transfer-Encoding: gzip, chunked\r\n", 501},
      {"+Content-Length: 99999999999\r\n\r\n", 413},
      {"+Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n", 413},
      {"+Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 400},
      {"+Transfer-Encoding: chunked\r\n\r\n\r\n", 400},
      {"+Transfer-Encoding: chunked\r\n\r\n-1\r\n", 400},
      {"+Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400},
  };
  for (const RefusedRequest& one : cases) {
    std::string bytes(one.bytes);
    if (bytes.front() == '+') bytes = std::string(head) + bytes.substr(1);
    for (const std::size_t piece : {std::size_t{1}, bytes.size()}) {
      HttpRequestParser request;
      feed_request(request, bytes, piece);
      EXPECT_TRUE(request.failed()) << bytes;
      EXPECT_EQ(request.status(), one.status) << bytes;
      EXPECT_FALSE(request.problem().empty());
    }
  }
}

TEST(HttpRequestParser, bounds_what_it_keeps) {
  HttpRequestParser request({.head = 100, .body = 10});
  feed_request(request, "GET /" + std::string(200, 'a') + " HTTP/1.1\r\n", 7);
  EXPECT_EQ(request.status(), 431);
  request.reset();
  feed_request(request, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n", 7);
  EXPECT_EQ(request.status(), 413);
  request.reset();
  feed_request(request, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nsixsix\r\n5\r\n", 7);
  EXPECT_EQ(request.status(), 413);
  request.reset();
  feed_request(request,
               "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + std::string(200, 'a'), 7);
  EXPECT_EQ(request.status(), 431);
  // Framing of many chunks is not a head.
  request = HttpRequestParser({.head = 100, .body = 1000});
  std::string many = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 200; ++i) many += "1\r\na\r\n";
  feed_request(request, many + "0\r\n\r\n", 7);
  EXPECT_TRUE(request.complete()) << request.problem();
  EXPECT_EQ(request.body().size(), 200u);
}

}  // namespace
}  // namespace loadline
