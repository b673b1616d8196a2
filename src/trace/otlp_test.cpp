#include "trace/otlp.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "trace/gen_ai_span.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::string text_attribute(std::string_view key, std::string_view value) {
  return fmt::format("{{\"key\": \"{}\", \"value\": {{\"stringValue\": \"{}\"}}}}", key, value);
}

std::string int_attribute(std::string_view key, std::string_view value) {
  return fmt::format("{{\"key\": \"{}\", \"value\": {{\"intValue\": \"{}\"}}}}", key, value);
}

std::string span_of(std::string_view name, std::string_view start, const std::vector<std::string>& attributes,
                    std::string_view status = "{}") {
  return fmt::format(
      "{{\"traceId\": \"e3\", \"name\": \"{}\", \"startTimeUnixNano\": \"{}\", \"attributes\": [{}], \"status\": {}}}",
      name, start, fmt::join(attributes, ", "), status);
}

std::string chat_span(std::string_view start, std::string_view input, std::string_view output,
                      std::vector<std::string> more = {}, std::string_view status = "{}") {
  more.push_back(text_attribute("gen_ai.operation.name", "chat"));
  more.push_back(int_attribute("gen_ai.usage.input_tokens", input));
  more.push_back(int_attribute("gen_ai.usage.output_tokens", output));
  return span_of("chat m", start, more, status);
}

std::string export_of(const std::vector<std::string>& spans) {
  return fmt::format(
      "{{\"resourceSpans\": [{{\"resource\": {{\"attributes\": []}}, \"scopeSpans\": [{{\"scope\": {{\"name\": "
      "\"client\"}}, \"spans\": [{}]}}]}}]}}\n",
      fmt::join(spans, ",\n"));
}

/// Without line breaks inside: JSON lines.
std::string export_line(const std::vector<std::string>& spans) {
  std::string text = export_of(spans);
  for (char& c : text) c = c == '\n' ? ' ' : c;
  text.back() = '\n';
  return text;
}

constexpr const char* span_start = "1793610900000000000";

TEST(Otlp, EveryFieldOfARequest) {
  const Trace trace = read_trace_bytes(
      "log", export_line({chat_span("1793610901207000000", "4096", "603",
                                    {int_attribute("gen_ai.usage.cache_read.input_tokens", "1536"),
                                     int_attribute("gen_ai.request.max_tokens", "1024"),
                                     text_attribute("gen_ai.conversation.id", "s-43"), text_attribute("user.id", "u1"),
                                     int_attribute("http.response.status_code", "200")}),
                          chat_span(span_start, "1843", "212", {text_attribute("gen_ai.conversation.id", "s-41")})}));
  EXPECT_EQ(trace.format, "otel-genai");
  EXPECT_TRUE(trace.has_times);
  EXPECT_EQ(trace.time_zone, "UTC");
  EXPECT_EQ(trace.time_resolution_ms, 1);
  EXPECT_EQ(trace.started, Nanos(1793610900000000000));
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].arrival, 0ns);
  EXPECT_EQ(trace.rows[0].prompt.value(), 1843);
  EXPECT_FALSE(trace.rows[0].cached);  // not logged: unknown, not 0
  EXPECT_EQ(trace.details[0].max_completion, std::nullopt);
  EXPECT_EQ(trace.rows[1].arrival, 1207ms);
  EXPECT_EQ(trace.rows[1].completion.value(), 603);
  EXPECT_EQ(trace.rows[1].cached, Tokens(1536));
  EXPECT_EQ(trace.sessions[trace.rows[1].session], "s-43");
  EXPECT_EQ(trace.details[1].max_completion, Tokens(1024));
  EXPECT_EQ(trace.details[1].status, 200);
  EXPECT_EQ(trace.clients[trace.details[1].client], "u1");
  EXPECT_EQ(trace.sharing, SharingOrigin::cached_counts);
  EXPECT_EQ(trace.read, 2u);
}

TEST(Otlp, EnginesUseOlderNames) {
  const auto engine_span = [](std::string_view name, std::string_view start) {
    return span_of(name, start,
                   {int_attribute("gen_ai.usage.prompt_tokens", "961"),
                    "{\"value\": {\"intValue\": 37}, \"key\": \"gen_ai.usage.completion_tokens\"}",
                    "{\"key\": \"gen_ai.usage.cached_tokens\", \"value\": {\"doubleValue\": 0.0}}",
                    text_attribute("gen_ai.request.id", "r")});
  };
  const Trace vllm = read_trace_bytes("log", export_line({engine_span("llm_request", span_start)}) +
                                                 export_line({engine_span("llm_request", "1793610900000412345")}));
  EXPECT_EQ(vllm.format, "vllm-otlp");
  EXPECT_EQ(vllm.time_resolution_ms, 1e-6);
  std::string text = export_line({engine_span("Req a1", span_start)});
  text.replace(text.find("client"), 6, "sglang");
  const Trace sglang = read_trace_bytes("log", text);
  EXPECT_EQ(sglang.format, "sglang-otlp");
  for (const Trace& trace : {vllm, sglang}) {
    EXPECT_EQ(trace.rows[0].prompt.value(), 961);
    EXPECT_EQ(trace.rows[0].completion.value(), 37);
    EXPECT_EQ(trace.rows[0].cached, Tokens(0));
    EXPECT_EQ(trace.rows[0].session, no_session);
    EXPECT_TRUE(trace.remarks.empty());
  }
}

TEST(Otlp, OnlyRequestsOfAModelAreRows) {
  const std::vector<std::string> usage{int_attribute("gen_ai.usage.input_tokens", "10"),
                                       int_attribute("gen_ai.usage.output_tokens", "5")};
  const auto with = [&](std::string attribute) {
    std::vector<std::string> all = usage;
    all.push_back(std::move(attribute));
    return all;
  };
  const Trace trace = read_trace_bytes(
      "log",
      export_line(
          {span_of("invoke_agent planner", span_start, with(text_attribute("gen_ai.operation.name", "invoke_agent"))),
           span_of("execute_tool x", span_start, {text_attribute("gen_ai.operation.name", "execute_tool")}),
           span_of("embeddings m", span_start, with(text_attribute("gen_ai.operation.name", "embeddings"))),
           span_of("GET /health", span_start, {}), span_of("agent", span_start, usage),
           chat_span(span_start, "10", "5"),
           span_of("text_completion m", span_start, with(text_attribute("gen_ai.operation.name", "text_completion"))),
           span_of("generate", span_start, with(text_attribute("gen_ai.operation.name", "generate_content")))}) +
          "{\"resourceMetrics\": []}\n");
  EXPECT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.filtered.at("other"), 6u);
  EXPECT_EQ(trace.read, 9u);
  ASSERT_EQ(trace.remarks.size(), 1u);  // the span "agent": sums of whom?
  EXPECT_NE(trace.remarks[0].find("without gen_ai.operation.name"), std::string::npos);
}

TEST(Otlp, ARequestThatTwoReportIsSaid) {
  const Trace trace = read_trace_bytes(
      "log",
      export_line({chat_span(span_start, "10", "5"), span_of("llm_request", span_start,
                                                             {int_attribute("gen_ai.usage.prompt_tokens", "10"),
                                                              int_attribute("gen_ai.usage.completion_tokens", "5")})}));
  EXPECT_EQ(trace.rows.size(), 2u);
  ASSERT_EQ(trace.remarks.size(), 1u);
  EXPECT_NE(trace.remarks[0].find("counted twice"), std::string::npos);
}

TEST(Otlp, EveryRefusedSpanIsInTheBooksWithItsLine) {
  const Trace trace = read_trace_bytes(
      "log",
      export_of({chat_span(span_start, "10", "5"),                                                             // line 1
                 chat_span(span_start, "10", "5", {}, "{\"code\": 2}"),                                        // 2
                 chat_span(span_start, "10", "0", {text_attribute("error.type", "timeout")}),                  // 3
                 chat_span(span_start, "10", "5", {int_attribute("http.response.status_code", "503")}),        // 4
                 chat_span(span_start, "10", "0"), chat_span(span_start, "0", "5"), chat_span("", "10", "5"),  // 5 to 7
                 chat_span("0", "10", "5"), chat_span(span_start, "99999999999", "5"),                         // 8, 9
                 chat_span(span_start, "ten", "5"), chat_span(span_start, "18446744073709551616", "5"),        // 10, 11
                 chat_span(span_start, "10", "5", {int_attribute("gen_ai.usage.cached_tokens", "11")}),        // 12
                 span_of("chat m", span_start, {text_attribute("gen_ai.operation.name", "chat")}), "[1, 2]"})  // 13, 14
          + "{\"resourceSpans\": [{\"scopeSpans\": [{\"spans\": [" + chat_span(span_start, "7", "5"));         // 15
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("failed"), (std::vector<std::uint64_t>{2, 3, 4}));
  EXPECT_EQ(lines("completion_zero"), (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(lines("prompt_zero"), (std::vector<std::uint64_t>{6}));
  EXPECT_EQ(lines("bad_timestamp"), (std::vector<std::uint64_t>{7, 8}));
  EXPECT_EQ(lines("out_of_range"), (std::vector<std::uint64_t>{9, 11, 12}));
  EXPECT_EQ(lines("malformed"), (std::vector<std::uint64_t>{10}));
  EXPECT_EQ(lines("no_prompt_length"), (std::vector<std::uint64_t>{13}));
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(lines("truncated_last_line"), (std::vector<std::uint64_t>{15}));
  EXPECT_EQ(trace.rows.size(), 2u);  // the last was whole, the request around it was not
  EXPECT_EQ(trace.read, 16u);
}

TEST(Otlp, LayoutsOfFilesGiveTheSame) {
  const std::string line = export_line({chat_span(span_start, "10", "5"), chat_span("1793610900412000000", "11", "6")});
  const Trace as_lines = read_trace_bytes("log", line);
  std::string pretty;
  for (const char c : line) pretty += c == ',' || c == '{' || c == '[' ? std::string{c, '\r', '\n'} : std::string{c};
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::string::npos}) {
    const Trace trace = read_trace_bytes("log", "\xEF\xBB\xBF" + pretty, {}, step);
    ASSERT_EQ(trace.rows.size(), 2u);
    EXPECT_EQ(trace.rows[1].arrival, 412ms);
    EXPECT_EQ(trace.rows[1].prompt.value(), as_lines.rows[1].prompt.value());
  }
}

TEST(Otlp, AttributesAreKnownByTheirWholeName) {
  EXPECT_EQ(gen_ai_key("user.id"), GenAiKey::client);
  EXPECT_EQ(gen_ai_key("gen_ai.usage.input_tokens"), GenAiKey::prompt);
  EXPECT_EQ(gen_ai_key("gen_ai.usage.cache_read.input_tokens"), GenAiKey::cached);
  EXPECT_EQ(gen_ai_key("gen_ai.usage.cache_read_input_tokens"), GenAiKey::cached);
  for (const std::string& name : {std::string(), std::string("gen_ai.usage.input_token"), std::string(40, 'x'),
                                  std::string(41, 'x'), std::string(400, 'x')})
    EXPECT_EQ(gen_ai_key(name), GenAiKey::other) << name;
}

TEST(Otlp, BytesThatAreNoUtf8AreNamed) {
  const Trace trace = read_trace_bytes(
      "log", export_line({chat_span(span_start, "10", "5")}) +
                 export_line({chat_span(span_start, "10", "5", {text_attribute("session.id", "\xFF")})}));
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.refused.at("not_utf8").first_lines, (std::vector<std::uint64_t>{2}));
}

TEST(Otlp, MessagesGiveBlocksAndAreKeptOnlyWhenSent) {
  const std::string shared(400, 'a');
  const auto messages = [&](std::string_view end) {
    return fmt::format(
        "[{{\\\"role\\\": \\\"user\\\", \\\"parts\\\": [{{\\\"type\\\": \\\"text\\\", \\\"content\\\": \\\"{}{}\\\"}}]}}]",
        shared, end);
  };
  const std::string log = export_line(
      {chat_span(span_start, "100", "5", {text_attribute("gen_ai.input.messages", messages(std::string(100, 'b')))}),
       chat_span(span_start, "100", "5", {text_attribute("gen_ai.input.messages", messages(std::string(100, 'c')))})});
  const Trace trace = read_trace_bytes("log", log);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  ASSERT_EQ(trace.rows.size(), 2u);
  ASSERT_GE(trace.rows[0].block_count, 3u);
  EXPECT_EQ(trace.blocks[trace.rows[0].first_block + 2], trace.blocks[trace.rows[1].first_block + 2]);
  EXPECT_NE(trace.blocks[trace.rows[0].first_block + 3], trace.blocks[trace.rows[1].first_block + 3]);
  EXPECT_TRUE(trace.texts.empty());

  ReadOptions keep;
  keep.keep_texts = true;
  const Trace kept = read_trace_bytes("log", log, keep);
  ASSERT_EQ(kept.texts.size(), 2u);
  EXPECT_TRUE(kept.texts[0].is_messages);
  EXPECT_EQ(kept.texts[0].text, "[{\"role\":\"user\",\"content\":\"" + shared + std::string(100, 'b') +
                                    "\"}]");  // as a chat endpoint takes it
}

}  // namespace
}  // namespace loadline
