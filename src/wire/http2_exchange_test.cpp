#include "wire/http2_exchange.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "wire/http2_peer_test.h"

namespace loadline {
namespace {

using Answer = Http2Peer::Answer;

const Http2Request request_of_test{.method = "POST",
                                   .scheme = "http",
                                   .authority = "engine.example:8000",
                                   .path = "/v1/completions",
                                   .headers = "Authorization: Bearer k\r\nX-Two:  words \r\nConnection: close\r\n",
                                   .body = R"({"stream":true})"};

const std::vector<std::string> three_events = {"data: one\n\n", "data: two\n\n", "data: [DONE]\n\n"};

std::string joined(const std::vector<std::string>& pieces) {
  std::string all;
  for (const std::string& piece : pieces) all += piece;
  return all;
}

struct Heard {
  ResponseHead head;
  std::string body, problem;
  bool complete = false, failed = false, reusable = false;
};

Heard heard_from(const Http2Exchange& client, std::string body) {
  return {client.head(), std::move(body), client.problem(), client.complete(), client.failed(), client.reusable()};
}

/// Feeds all of `bytes`; the pieces of body.
std::string body_in(Http2Exchange& client, std::string_view bytes) {
  std::string body;
  while (!bytes.empty() && !client.failed()) body += client.feed(bytes);
  return body;
}

/// Moves bytes both ways until nothing moves, in pieces of `piece` bytes to the client.
std::string talk(Http2Exchange& client, Http2Peer& server, std::size_t piece = 1 << 20) {
  std::string body;
  for (bool moved = true; moved;) {
    std::string asked;
    client.take_output(asked);
    server.take(asked);
    const std::string said = server.output();
    for (std::size_t at = 0; at < said.size(); at += piece) {
      body += body_in(client, std::string_view(said).substr(at, piece));
    }
    moved = !asked.empty() || !said.empty();
  }
  return body;
}

Heard ask(Answer answer, const Http2Request& request = request_of_test) {
  Http2Exchange client;
  Http2Peer server(std::move(answer));
  client.submit(request);
  std::string body = talk(client, server);
  return heard_from(client, std::move(body));
}

TEST(Http2, AsksAsHttpDoes) {
  Http2Exchange client;
  Http2Peer server({.pieces = three_events});
  client.submit(request_of_test);
  talk(client, server);
  ASSERT_EQ(server.requests().size(), 1u);
  const std::map<std::string, std::string> expected = {{":method", "POST"},
                                                       {":scheme", "http"},
                                                       {":authority", "engine.example:8000"},
                                                       {":path", "/v1/completions"},
                                                       {"user-agent", "loadline/" LOADLINE_VERSION},
                                                       {"content-type", "application/json"},
                                                       {"accept", "text/event-stream, application/json"},
                                                       {"content-length", "15"},
                                                       {"authorization", "Bearer k"},
                                                       {"x-two", "words"}};
  EXPECT_EQ(server.requests()[0].fields, expected);
  EXPECT_EQ(server.requests()[0].body, *request_of_test.body);
}

TEST(Http2, AsksWithoutABody) {
  Http2Exchange client;
  Http2Peer server({.pieces = {"{}"}});
  client.submit({.method = "GET", .scheme = "https", .authority = "a", .path = "/v1/models", .body = std::nullopt});
  EXPECT_EQ(talk(client, server), "{}");
  EXPECT_TRUE(client.complete());
  EXPECT_EQ(server.requests().at(0).fields.count("content-length"), 0u);
}

TEST(Http2, ReadsTheSameAnswerInAnyFragmentation) {
  const Answer answer{.interim = {"100", "103"},
                      .fields = {{":status", "200"},
                                 {"content-type", "Text/Event-Stream; charset=utf-8"},
                                 {"server", "uvicorn"},
                                 {"x-request-id", "7"}},
                      .pieces = three_events,
                      .trailers = {{"x-checksum", "1"}},
                      .ping = true};
  std::string bytes;
  {
    Http2Exchange client;
    Http2Peer server(answer);
    client.submit(request_of_test);
    std::string asked;
    client.take_output(asked);
    ASSERT_TRUE(server.take(asked));
    bytes = server.output();
  }
  const auto read_in = [&](const std::vector<std::string_view>& pieces) {
    Http2Exchange client;
    client.submit(request_of_test);
    std::string sent, body;
    client.take_output(sent);
    for (const std::string_view piece : pieces) body += body_in(client, piece);
    const Heard heard = heard_from(client, std::move(body));
    EXPECT_EQ(heard.head.status, 200);
    EXPECT_EQ(heard.head.content_type, "text/event-stream");
    EXPECT_EQ(heard.head.server, "uvicorn");
    EXPECT_EQ(heard.body, joined(three_events));
    EXPECT_TRUE(heard.complete && heard.reusable) << heard.problem;
    sent.clear();
    client.take_output(sent);
    return sent;
  };
  const std::string_view all = bytes;
  const std::string replies = read_in({all});
  EXPECT_FALSE(replies.empty()) << "settings and a ping want to be acknowledged";
  for (std::size_t cut = 1; cut < bytes.size(); ++cut)
    EXPECT_EQ(read_in({all.substr(0, cut), all.substr(cut)}), replies);
  std::vector<std::string_view> single;
  for (std::size_t i = 0; i < bytes.size(); ++i) single.push_back(all.substr(i, 1));
  EXPECT_EQ(read_in(single), replies);
}

TEST(Http2, HandsOnPiecesOfBodyWithoutCopying) {
  Http2Exchange client;
  Http2Peer server({.pieces = three_events});
  client.submit(request_of_test);
  std::string asked;
  client.take_output(asked);
  server.take(asked);
  const std::string said = server.output();
  std::string_view bytes = said;
  std::vector<std::string> pieces;
  while (!bytes.empty()) {
    const std::string_view piece = client.feed(bytes);
    if (piece.empty()) continue;
    EXPECT_GE(piece.data(), said.data());
    EXPECT_LE(piece.data() + piece.size(), said.data() + said.size());
    pieces.emplace_back(piece);
  }
  EXPECT_EQ(pieces, three_events);
}

TEST(Http2, IsUsedAgainAndAgain) {
  Http2Exchange client;
  Http2Peer server({.pieces = three_events});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(client.reusable()) << i;
    client.submit(request_of_test);
    EXPECT_FALSE(client.started() || client.complete() || client.reusable());
    server.answer_with({.fields = {{":status", i % 2 == 0 ? "200" : "503"}}, .pieces = {std::to_string(i)}});
    EXPECT_EQ(talk(client, server, 7), std::to_string(i));
    EXPECT_TRUE(client.complete());
    EXPECT_EQ(client.head().status, i % 2 == 0 ? 200 : 503);
    EXPECT_EQ(client.head().content_type, "");
  }
  EXPECT_EQ(server.requests().size(), 50u);
}

TEST(Http2, SendsABodyThatIsLargerThanTheServersWindow) {
  const std::string prompt(1'000'000, 'p');
  Http2Request request = request_of_test;
  request.body = prompt;
  Http2Exchange client;
  Http2Peer server({.pieces = three_events}, 20'000);
  client.submit(request);
  EXPECT_EQ(talk(client, server), joined(three_events));
  EXPECT_EQ(server.requests().at(0).body, prompt);
}

TEST(Http2, NeverMakesAStreamWaitForAWindow) {
  // 8 MB come without a word from the client between: more than any answer, and than the standard's 64 KiB.
  const std::string piece(10'000, 'x');
  Http2Exchange client;
  Http2Peer server({.pieces = std::vector<std::string>(800, piece)});
  client.submit(request_of_test);
  std::string asked;
  client.take_output(asked);
  server.take(asked);
  const std::string said = server.output();
  EXPECT_EQ(body_in(client, said).size(), 800 * piece.size());
  EXPECT_TRUE(client.complete());
}

TEST(Http2, AnswersPings) {
  Http2Exchange client;
  Http2Peer server({.pieces = three_events, .ping = true});
  client.submit(request_of_test);
  talk(client, server);
  EXPECT_EQ(server.acknowledged_pings(), 1);
}

TEST(Http2, TellsAReset) {
  const Heard heard = ask({.pieces = three_events, .reset = NGHTTP2_INTERNAL_ERROR});
  EXPECT_TRUE(heard.failed && !heard.complete && !heard.reusable);
  EXPECT_EQ(heard.body, joined(three_events));
  EXPECT_EQ(heard.problem, "the server reset the request: INTERNAL_ERROR");
}

TEST(Http2, TellsAFarewell) {
  const Heard heard = ask({.pieces = three_events, .goaway = true, .goaway_words = "bye\x01"});
  EXPECT_TRUE(heard.complete && !heard.failed);
  EXPECT_FALSE(heard.reusable) << "the server leaves";
  const Heard refused = ask({.refuse = true});
  EXPECT_TRUE(refused.failed && !refused.complete);
  EXPECT_EQ(refused.problem, "the server ended the connection: NO_ERROR");
}

TEST(Http2, IsNotReusableAfterAFarewellBetweenRequests) {
  Http2Exchange client;
  Http2Peer server({.pieces = three_events});
  client.submit(request_of_test);
  talk(client, server);
  ASSERT_TRUE(client.reusable());
  server.leave();
  talk(client, server);
  EXPECT_FALSE(client.reusable());
  EXPECT_TRUE(client.complete()) << "what was answered stays so";
}

TEST(Http2, TellsAnAnswerOfAnotherLengthThanPromised) {
  const Heard heard = ask({.fields = {{":status", "200"}, {"content-length", "5"}}, .pieces = {"abc"}});
  EXPECT_TRUE(heard.failed && !heard.complete);
  EXPECT_NE(heard.problem.find("PROTOCOL_ERROR"), std::string::npos) << heard.problem;
}

TEST(Http2, RefusesAHeadWithoutEnd) {
  Http2Peer::Fields fields{{":status", "200"}};
  for (int i = 0; i < 40; ++i) fields.emplace_back("x-" + std::to_string(i), std::string(2'000, 'h'));
  const Heard heard = ask({.fields = fields, .pieces = three_events});
  EXPECT_TRUE(heard.failed);
  EXPECT_EQ(heard.problem, "the head of the response is over 64 KiB");
}

TEST(Http2, SaysWhatIsNotHttp2) {
  for (const char* bytes : {"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n"}) {
    Http2Exchange client;
    client.submit(request_of_test);
    body_in(client, bytes);
    EXPECT_TRUE(client.failed()) << bytes;
    EXPECT_TRUE(client.problem().starts_with("the answer is not HTTP/2: ")) << client.problem();
  }
}

TEST(Http2, CarriesOneRequestAtATime) {
  Http2Exchange client;
  client.submit(request_of_test);
  EXPECT_THROW(client.submit(request_of_test), Bug);
}

TEST(Http2, IsKnownByItsFirstBytes) {
  Http2Peer server({});
  EXPECT_TRUE(begins_as_http2(server.output()));
  EXPECT_TRUE(begins_as_http2(std::string("\0\0\0\4\0\0\0\0\0", 9)));
  EXPECT_FALSE(begins_as_http2("HTTP/1.1 200 OK\r\n"));
  EXPECT_FALSE(begins_as_http2(std::string("\0\0\0\4\0\0\0\0", 8)));
  EXPECT_FALSE(begins_as_http2(std::string("\0\0\5\4\0\0\0\0\0", 9)));
  EXPECT_FALSE(begins_as_http2(""));
}

}  // namespace
}  // namespace loadline
