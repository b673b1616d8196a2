#pragma once
// Answers of every format and every shape that servers send, written by hand, with what they must come to. The tests
// read them in any fragmentation (answer_fragments_test.cpp) and over loopback (run_level_shapes_test.cpp).

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "load/answer.h"

namespace loadline::shapes {

/// What a reader must find. Counts below 0: absent.
struct Found {
  Outcome outcome = Outcome::ok;
  std::uint32_t events = 0;
  std::int64_t prompt = -1, completion = -1, reasoning = -1, cached = -1;
  std::int64_t first_event_tokens = -1, single_token_events = -1;
  std::string text;
  bool has_answer = true;  ///< text of the answer itself came, where it was streamed
  std::string words;       ///< in the message; empty: there is none
};

struct Shape {
  std::string name;
  std::string bytes;  ///< the whole response; then the server closes
  Found found;
  ExpectedAnswer asked{};
};

inline std::string head(const std::string& type, const std::string& more = "") {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + more + "\r\n";
}
/// Until the connection closes.
inline std::string stream_of(const std::string& body) { return head("text/event-stream") + body; }
inline std::string with_length(const std::string& type, const std::string& body, const std::string& more = "") {
  return head(type, more + "Content-Length: " + std::to_string(body.size()) + "\r\n") + body;
}
/// In chunks of `size` bytes.
inline std::string in_chunks(const std::string& body, std::size_t size, const std::string& trailers = "") {
  std::string bytes = head("text/event-stream; charset=utf-8", "Transfer-Encoding: chunked\r\n");
  for (std::size_t at = 0; at < body.size(); at += size) {
    char hex[24];
    std::snprintf(hex, sizeof hex, "%zX\r\n", std::min(size, body.size() - at));
    bytes += hex + body.substr(at, size) + "\r\n";
  }
  return bytes + "0\r\n" + trailers + "\r\n";
}

inline std::string data(const std::string& json) { return "data: " + json + "\n\n"; }
inline std::string typed(const std::string& type, const std::string& json) {
  return "event: " + type + "\ndata: " + json + "\n\n";
}
inline std::string text_chunk(const std::string& text) {
  return R"({"id":"c","choices":[{"index":0,"text":")" + text + R"(","finish_reason":null}]})";
}
inline std::string delta_chunk(const std::string& delta) {
  return R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":null}]})";
}
inline const std::string role = delta_chunk(R"({"role":"assistant","content":""})");
inline const std::string stop = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
inline std::string usage(const std::string& counts) { return R"({"choices":[],"usage":{)" + counts + "}}"; }
inline const std::string done = data("[DONE]");

/// Chat completions and completions.
std::vector<Shape> openai_shapes();
/// The same two words in every way that the grammar of server-sent events allows.
std::vector<Shape> sse_shapes();
/// Errors and ends.
std::vector<Shape> ending_shapes();
/// Every other format, streamed.
std::vector<Shape> native_shapes();
/// Answers in one piece, of every format.
std::vector<Shape> whole_shapes();

inline std::vector<Shape> all_shapes() {
  std::vector<Shape> all;
  for (const auto& some : {openai_shapes(), sse_shapes(), ending_shapes(), native_shapes(), whole_shapes()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

inline std::int64_t told(const std::optional<Tokens>& tokens) { return tokens ? tokens->value() : -1; }

inline void expect_record(const Shape& shape, const RequestRecord& r) {
  const Found& want = shape.found;
  EXPECT_EQ(name(r.outcome), name(want.outcome)) << shape.name << ": " << r.message;
  EXPECT_EQ(r.events, want.events) << shape.name;
  EXPECT_EQ(told(r.prompt_tokens), want.prompt) << shape.name;
  EXPECT_EQ(told(r.completion_tokens), want.completion) << shape.name;
  EXPECT_EQ(told(r.reasoning_tokens), want.reasoning) << shape.name;
  EXPECT_EQ(told(r.cached_tokens), want.cached) << shape.name;
  EXPECT_EQ(told(r.first_event_tokens), want.first_event_tokens) << shape.name;
  EXPECT_EQ(r.single_token_events ? std::int64_t{*r.single_token_events} : -1, want.single_token_events) << shape.name;
  EXPECT_EQ(r.message.empty(), want.words.empty()) << shape.name << ": " << r.message;
  EXPECT_NE(r.message.find(want.words), std::string::npos) << shape.name << ": " << r.message;
  const bool is_streamed = shape.asked.streamed && want.events > 0;
  EXPECT_EQ(r.first_token.has_value(), is_streamed) << shape.name;
  EXPECT_EQ(r.first_answer.has_value(), is_streamed && want.has_answer) << shape.name;
  EXPECT_EQ(r.last_token.has_value(), want.events > 0) << shape.name;
}

}  // namespace loadline::shapes
