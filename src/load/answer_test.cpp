#include "load/answer.h"

#include <gtest/gtest.h>

#include <numeric>

namespace loadline {
namespace {

RunTime at_ms(double ms) { return run_time(static_cast<std::int64_t>(ms * 1e6)); }

const std::string stream_head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
const std::string role = R"(data: {"choices":[{"delta":{"role":"assistant","content":""}}]})"
                         "\n\n";
const std::string thought = R"(data: {"choices":[{"delta":{"reasoning":"hm"}}]})"
                            "\n\n";
const std::string word = R"(data: {"choices":[{"delta":{"content":"a"},"finish_reason":null}]})"
                         "\n\n";
const std::string stop = R"(data: {"choices":[{"delta":{},"finish_reason":"length"}]})"
                         "\n\n";
const std::string done = "data: [DONE]\n\n";
std::string usage(int prompt, int completion) {
  return R"(data: {"choices":[],"usage":{"prompt_tokens":)" + std::to_string(prompt) + R"(,"completion_tokens":)" +
         std::to_string(completion) + "}}\n\n";
}

struct Read {
  double ms;
  std::string bytes;
  Stamp stamp = Stamp::kernel;
};

struct Told {
  RequestRecord record;
  std::vector<std::uint32_t> gaps;
  bool over = false, settled = false;
};

/// Sends the reads through a reader; the end applies unless the answer was over before.
Told tell(const std::vector<Read>& reads, AnswerEnd end = AnswerEnd::complete, std::int64_t planned = 2) {
  static StreamEventReader reader;
  AnswerReader answer;
  Told told;
  told.record.planned_completion = Tokens(planned);
  answer.begin({StreamFormat::openai, true});
  for (const Read& read : reads) {
    if (told.over) break;
    told.over = answer.on_bytes(read.bytes, {at_ms(read.ms), read.stamp}, reader, told.record);
  }
  told.settled = answer.settled();
  if (!told.over && end == AnswerEnd::complete && !answer.on_end_of_input(reader, told.record)) end = AnswerEnd::cut;
  answer.conclude(told.over ? AnswerEnd::complete : end, "", reader, told.record);
  told.gaps = answer.gaps();
  return told;
}

TEST(Answer, TimesTheFirstAndTheLastOutput) {
  const Told told = tell({{1, stream_head},
                          {2, ": ping\n\n"},
                          {10, role},
                          {20, thought},
                          {30.00005, word},
                          {30.00019, word, Stamp::user},
                          {60, word},
                          {70, stop},
                          {80, usage(7, 4)},
                          {90, done}},
                         AnswerEnd::complete, 4);
  const RequestRecord& r = told.record;
  EXPECT_EQ(r.outcome, Outcome::ok) << r.message;
  EXPECT_EQ(r.first_byte, at_ms(1));
  EXPECT_EQ(r.first_token, at_ms(20)) << "reasoning is output, a role is not";
  EXPECT_EQ(r.first_answer, at_ms(30.00005));
  EXPECT_EQ(r.last_token, at_ms(60)) << "not the usage event, not [DONE]";
  EXPECT_EQ(r.stamp, Stamp::kernel);
  EXPECT_EQ(r.events, 4u);
  EXPECT_EQ(told.gaps, (std::vector<std::uint32_t>{100'000, 1, 299'999})) << "in 100 ns, of rounded-down instants";
  EXPECT_EQ(std::accumulate(told.gaps.begin(), told.gaps.end(), 0), 400'000);
  EXPECT_EQ(r.prompt_tokens, Tokens(7));
  EXPECT_EQ(r.completion_tokens, Tokens(4));
  EXPECT_EQ(r.token_source, TokenSource::server);
  EXPECT_FALSE(r.first_event_tokens);
  EXPECT_FALSE(r.coalesced);
}

TEST(Answer, GivesAllOutputOfOneReadOneStamp) {
  const Told told = tell({{5, stream_head + word + word + word + word + stop + done}});
  EXPECT_EQ(told.gaps, (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(told.record.first_token, told.record.last_token);
  EXPECT_TRUE(told.record.coalesced);
  const std::string two = word + word;
  EXPECT_TRUE(tell({{5, stream_head + two + word + stop + done}}).record.coalesced) << "both of two gaps";
  EXPECT_TRUE(tell({{5, stream_head + two + stop + done}}).record.coalesced) << "the only gap";
  EXPECT_FALSE(tell({{5, stream_head + two}, {6, word + done}}).record.coalesced) << "one of two";
  EXPECT_FALSE(tell({{5, stream_head + word}, {6, word + done}}).record.coalesced) << "a gap between two reads";
  EXPECT_FALSE(tell({{5, stream_head + word + stop + done}}).record.coalesced) << "no gap at all";
  EXPECT_FALSE(tell({{5, stream_head + two}, {6, two}, {7, word + done}}).record.coalesced) << "half of the gaps";
  EXPECT_TRUE(tell({{5, stream_head + two + word}, {6, two + done}}).record.coalesced) << "3 of 4";
}

TEST(Answer, TimeDoesNotGoBack) {
  const Told told = tell({{5, stream_head + word}, {4, word + done}});
  EXPECT_EQ(told.gaps, std::vector<std::uint32_t>{0});
  EXPECT_EQ(told.record.last_token, at_ms(5));
}

TEST(Answer, ACountBeyondBeliefIsUnknown) {
  const std::string absurd =
      R"(data: {"choices":[],"usage":{"prompt_tokens":9223372036854775807,"completion_tokens":2}})"
      "\n\n";
  const Told told = tell({{1, stream_head + word}, {2, word + absurd + done}});
  EXPECT_EQ(told.record.outcome, Outcome::ok);
  EXPECT_FALSE(told.record.prompt_tokens);
  EXPECT_EQ(told.record.completion_tokens, Tokens(2));
}

TEST(Answer, CountsByTheServerAlone) {
  EXPECT_FALSE(tell({{1, stream_head + word + word + done}}).record.completion_tokens) << "chunks are not tokens";
  EXPECT_EQ(tell({{1, stream_head + word + usage(5, 1) + word + usage(5, 2) + done}}).record.completion_tokens,
            Tokens(2))
      << "the last usage, never a sum";
  const Told zero = tell({{1, stream_head + word + usage(0, 0) + done}});
  EXPECT_FALSE(zero.record.prompt_tokens) << "0 beside output is unknown";
  EXPECT_FALSE(zero.record.completion_tokens);
  EXPECT_EQ(zero.record.token_source, TokenSource::none);
  const std::string ids = R"(data: {"choices":[{"text":"","token_ids":[1,2]}]})"
                          "\n\n";
  const Told counted = tell({{1, stream_head + ids}, {2, ids + stop}});
  EXPECT_EQ(counted.record.first_event_tokens, Tokens(2));
  EXPECT_EQ(counted.record.completion_tokens, Tokens(4)) << "by the token ids of every event";
  EXPECT_FALSE(tell({{1, stream_head + ids + word + stop}}).record.completion_tokens) << "not of every event";
  const std::string running = R"(data: {"choices":[{"text":"abc"}],"usage":{"prompt_tokens":1,"completion_tokens":3}})"
                              "\n\n";
  EXPECT_EQ(tell({{1, stream_head + running + done}}).record.first_event_tokens, Tokens(3));
}

struct OutcomeCase {
  const char* name;
  std::string bytes;
  AnswerEnd end;
  Outcome outcome;
  const char* words;  ///< in the message; empty: no message
};

TEST(Answer, ClassesEveryEnd) {
  const std::string chunked =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  const auto chunk = [](const std::string& text) {
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", text.size());
    return size + text + "\r\n";
  };
  const auto plain = [](const char* status, const char* type, const std::string& body) {
    return std::string("HTTP/1.1 ") + status + "\r\nContent-Type: " + type +
           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  const std::string error = R"(data: {"error":{"message":"queue full","code":503}})"
                            "\n\n";
  const OutcomeCase cases[] = {
      {"done without finish_reason", stream_head + word + done, AnswerEnd::complete, Outcome::ok, ""},
      {"finish_reason without done", stream_head + word + stop, AnswerEnd::complete, Outcome::ok, ""},
      {"done, then a cut", chunked + chunk(word + done), AnswerEnd::cut, Outcome::ok, ""},
      {"finished, then silent", chunked + chunk(word + stop), AnswerEnd::idle_timeout, Outcome::ok, ""},
      {"under the forced length", stream_head + word + usage(3, 1) + done, AnswerEnd::complete, Outcome::short_answer,
       ""},
      {"over the forced length", stream_head + word + usage(3, 9) + done, AnswerEnd::complete, Outcome::ok, ""},
      {"no output", stream_head + role + stop + usage(3, 5) + done, AnswerEnd::complete, Outcome::empty, "without one"},
      {"no end", stream_head + word, AnswerEnd::complete, Outcome::no_finish, "without finish_reason"},
      {"half an event", stream_head + word + "data: {\"cho", AnswerEnd::complete, Outcome::no_finish,
       "inside an event"},
      {"cut chunked body", chunked + chunk(word), AnswerEnd::complete, Outcome::connection_cut, "cut"},
      {"cut head", "HTTP/1.1 200 OK\r\nConte", AnswerEnd::complete, Outcome::connection_cut, "cut"},
      {"nothing", "", AnswerEnd::complete, Outcome::connection_cut, "cut"},
      {"error event", stream_head + word + error + done, AnswerEnd::complete, Outcome::stream_error, "queue full"},
      {"named error event", stream_head + "event: error\ndata: out of memory\n\n", AnswerEnd::complete,
       Outcome::stream_error, "out of memory"},
      {"error field", stream_head + "error: {\"code\":500,\"message\":\"slot lost\"}\n\n", AnswerEnd::complete,
       Outcome::stream_error, "slot lost"},
      {"bare JSON error", stream_head + R"({"error":{"message":"bare"}})", AnswerEnd::complete, Outcome::stream_error,
       "bare"},
      {"bare JSON error line",
       stream_head +
           R"({"error":{"message":"bare"}})"
           "\n\n" +
           done,
       AnswerEnd::complete, Outcome::stream_error, "bare"},
      {"ping event with text", stream_head + "event: ping\ndata: 12:00\n\n" + word + done, AnswerEnd::complete,
       Outcome::ok, ""},
      {"data: null", stream_head + "data: null\n\n" + word + done, AnswerEnd::complete, Outcome::ok, ""},
      {"not JSON", stream_head + word + "data: <oops>\n\n" + done, AnswerEnd::complete, Outcome::protocol_error,
       "<oops>"},
      {"not HTTP", "SSH-2.0-OpenSSH\r\n", AnswerEnd::complete, Outcome::protocol_error, "not HTTP"},
      {"a web page", plain("200 OK", "text/html", "<html>login</html>"), AnswerEnd::complete, Outcome::protocol_error,
       "text/html"},
      {"plain JSON answer", plain("200 OK", "application/json", R"({"choices":[{"message":{}}]})"), AnswerEnd::complete,
       Outcome::protocol_error, "application/json"},
      {"plain JSON error", plain("200 OK", "application/json", R"({"error":"bad"})"), AnswerEnd::complete,
       Outcome::stream_error, "bad"},
      {"400", plain("400 Bad", "application/json", R"({"error":{"message":"too long"}})"), AnswerEnd::complete,
       Outcome::http_4xx, "too long"},
      {"404 without body", plain("404 No", "text/plain", ""), AnswerEnd::complete, Outcome::http_4xx, "HTTP 404"},
      {"500", plain("500 Oops", "text/plain", "trace"), AnswerEnd::complete, Outcome::http_5xx, "trace"},
      {"429", plain("429 Slow", "text/plain", "busy"), AnswerEnd::complete, Outcome::rejected, "busy"},
      {"503, cut", "HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nbusy", AnswerEnd::complete, Outcome::rejected,
       "busy"},
      {"redirect", plain("307 Move", "text/plain", ""), AnswerEnd::complete, Outcome::protocol_error, "final URL"},
      {"silent from the start", "", AnswerEnd::no_first_byte, Outcome::no_first_byte, "first-byte"},
      {"silent in the middle", chunked + chunk(word), AnswerEnd::idle_timeout, Outcome::idle_timeout, "silent"},
      {"endless", chunked + chunk(word), AnswerEnd::total_timeout, Outcome::total_timeout, "total"},
      {"cancelled", chunked + chunk(word), AnswerEnd::cancelled, Outcome::censored, ""},
      {"cancelled before the usage", chunked + chunk(word + stop), AnswerEnd::cancelled, Outcome::censored, ""},
      {"cancelled after the end", chunked + chunk(word + done), AnswerEnd::cancelled, Outcome::ok, ""},
  };
  for (const OutcomeCase& c : cases) {
    const Told told = tell({{1, c.bytes}}, c.end);
    EXPECT_EQ(name(told.record.outcome), name(c.outcome)) << c.name << ": " << told.record.message;
    if (*c.words == '\0') {
      EXPECT_EQ(told.record.message, "") << c.name;
    } else {
      EXPECT_NE(told.record.message.find(c.words), std::string::npos) << c.name << ": " << told.record.message;
    }
    EXPECT_LE(told.record.message.size(), 500u) << c.name;
  }
}

TEST(Answer, IsOverWithItsFraming) {
  const std::string chunked =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  static StreamEventReader reader;
  RequestRecord record;
  AnswerReader answer;
  answer.begin({StreamFormat::openai, true});
  EXPECT_FALSE(answer.any_byte());
  EXPECT_FALSE(answer.on_bytes(chunked + "e\r\ndata: [DONE]\n\n\r\n", {at_ms(1), Stamp::user}, reader, record));
  EXPECT_TRUE(answer.settled());
  EXPECT_TRUE(answer.on_bytes("0\r\n\r\n", {at_ms(2), Stamp::user}, reader, record));
  EXPECT_TRUE(answer.reusable());
  EXPECT_EQ(record.http_status, 200);
  answer.begin({StreamFormat::openai, true});
  EXPECT_TRUE(
      answer.on_bytes("HTTP/1.1 400 B\r\nContent-Length: 1\r\n\r\nxHTTP/1.1", {at_ms(3), Stamp::user}, reader, record));
  EXPECT_FALSE(answer.reusable()) << "bytes that nobody asked for";
}

}  // namespace
}  // namespace loadline
