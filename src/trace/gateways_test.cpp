// The smaller formats of gateways, each by a few invented records.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::string refusal_sentence(std::string_view log) {
  try {
    read_trace_bytes("log", log);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(Helicone, RowsAndTheirDetails) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"response_status": 200, "request_created_at": "2026-11-02T09:15:00.000Z", "request_body": {"max_tokens": 64}, "request_path": "/v1/chat/completions", "request_user_id": "u-1", "request_properties": {"Helicone-Session-Id": "s-1"}, "properties": {"Helicone-Session-Id": "other"}, "prompt_tokens": 100, "prompt_cache_read_tokens": 64, "completion_tokens": 20})"
      "\n"
      R"({"response_status": 429, "request_created_at": "2026-11-02T09:15:00.100Z", "request_path": "/v1/chat/completions", "prompt_tokens": null, "completion_tokens": null})"
      "\n"
      R"({"response_status": 200, "request_created_at": "2026-11-02T09:15:00.200Z", "request_path": "/v1/embeddings", "prompt_tokens": 12, "completion_tokens": 0})"
      "\n"
      R"({"response_status": -3, "request_created_at": "2026-11-02T09:15:00.300Z", "request_path": "/v1/chat/completions", "prompt_tokens": 12, "completion_tokens": 3})"
      "\n"
      R"({"response_status": 200, "request_created_at": "2026-11-02T09:15:00.412Z", "prompt_tokens": 50, "prompt_cache_read_tokens": 51, "completion_tokens": 5})"
      "\n");
  EXPECT_EQ(trace.format, "helicone");
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].cached, std::optional(Tokens(64)));
  EXPECT_EQ(trace.sessions, std::vector<std::string>{"s-1"});
  EXPECT_EQ(trace.clients, std::vector<std::string>{"u-1"});
  EXPECT_EQ(trace.details[0].max_completion, std::optional(Tokens(64)));
  EXPECT_EQ(trace.details[0].status, 200);
  EXPECT_EQ(trace.refused.at("failed").first_lines, (std::vector<std::uint64_t>{2, 4}));
  EXPECT_EQ(trace.refused.at("out_of_range").first_lines, std::vector<std::uint64_t>{5});  // more cached than sent
  EXPECT_EQ(trace.filtered.at("other"), 1u);
}

TEST(EnvoyAiGateway, MissingValuesAreNullOrADash) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"start_time": "2026-11-02T09:15:00.000Z", "duration": 3904, "response_code": 200, "gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 20, "session.id": "s-1", "x-envoy-origin-path": "/v1/chat/completions"})"
      "\n"
      R"({"start_time": "2026-11-02T09:15:00.300Z", "response_code": 200, "gen_ai.usage.input_tokens": null, "gen_ai.usage.output_tokens": "-", "session.id": null, "x-envoy-origin-path": "/healthz"})"
      "\n"
      R"({"start_time": "2026-11-02T09:15:00.350Z", "response_code": 200, "gen_ai.usage.input_tokens": null, "gen_ai.usage.output_tokens": null, "x-envoy-origin-path": "/v1/chat/completions"})"
      "\n"
      R"({"start_time": "2026-11-02T09:15:00.412Z", "response_code": 200, "llm_input_token": "50", "llm_output_token": "5", "llm_cached_input_token": "16", "session.id": null})"
      "\n"
      R"({"start_time": "2026-11-02T09:15:00.500Z", "response_code": 0, "gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 1})"
      "\n");
  EXPECT_EQ(trace.format, "envoy-ai-gateway");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.rows[1].prompt.value(), 50);
  EXPECT_EQ(trace.rows[1].cached, std::optional(Tokens(16)));
  EXPECT_EQ(trace.rows[1].session, no_session);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.refused.at("no_prompt_length").first_lines, std::vector<std::uint64_t>{3});
  EXPECT_EQ(trace.refused.at("failed").first_lines, std::vector<std::uint64_t>{5});  // the client went away
}

TEST(NginxUsage, TheArrivalIsTheEndLessTheRequestTime) {
  const auto row = [](std::string_view time, std::string_view took, std::string_view status, std::string_view uri,
                      std::string_view prompt) {
    return fmt::format(R"({{"time": "{}", "request_time": "{}", "status": "{}", "uri": "{}", )"
                       R"("x_prompt_tokens": "{}", "x_generated_tokens": "20", "x_session_id": "s-1"}})"
                       "\n",
                       time, took, status, uri, prompt);
  };
  const Trace trace = read_trace_bytes("log", row("1793610903.904", "3.904", "200", "/v1/chat/completions", "100") +
                                                  row("1793610901.143", "0.731", "200", "/v1/chat/completions", "50") +
                                                  row("1793610901.200", "0.001", "200", "/metrics", "") +
                                                  row("1793610901.300", "0.100", "499", "/v1/chat/completions", "") +
                                                  row("1793610901.300", "", "200", "/v1/chat/completions", "50") +
                                                  row("1793610901.300", "-0.1", "200", "/v1/chat/completions", "50"));
  EXPECT_EQ(trace.format, "nginx-usage");
  EXPECT_EQ(trace.started, Nanos(1793610900'000'000'000));
  EXPECT_EQ(trace.time_resolution_ms, 1);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 100);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.refused.at("failed").first_lines, std::vector<std::uint64_t>{4});
  EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, (std::vector<std::uint64_t>{5, 6}));
}

TEST(OpenAiResponses, ArrivalsAreUnknown) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"id": "1", "object": "chat.completion", "created": 1793610903, "choices": [{"message": {"content": "\"usage\": {\"prompt_tokens\": 9}"}}], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 64}}})"
      "\n"
      R"({"id": "2", "object": "response", "created_at": 1793610901, "status": "completed", "error": null, "max_output_tokens": 32, "usage": {"input_tokens": 50, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5}})"
      "\n"
      R"({"id": "3", "object": "chat.completion.chunk", "choices": [], "usage": null})"
      "\n"
      R"({"id": "3", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 8}})"
      "\n"
      R"({"error": {"message": "overloaded", "code": 503}})"
      "\n"
      R"({"id": "b", "custom_id": "c", "response": {"status_code": 200, "body": {"object": "chat.completion", "usage": {"prompt_tokens": 11, "completion_tokens": 12}}}, "error": null})"
      "\n");
  EXPECT_EQ(trace.format, "openai-responses");
  EXPECT_FALSE(trace.has_times);
  EXPECT_EQ(trace.remarks.size(), 1u);
  ASSERT_EQ(trace.rows.size(), 4u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 100);
  EXPECT_EQ(trace.rows[0].cached, std::optional(Tokens(64)));
  EXPECT_EQ(trace.rows[1].completion.value(), 5);
  EXPECT_EQ(trace.details[1].max_completion, std::optional(Tokens(32)));
  EXPECT_EQ(trace.rows[2].prompt.value(), 7);
  EXPECT_EQ(trace.rows[3].completion.value(), 12);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.refused.at("failed").first_lines, std::vector<std::uint64_t>{5});
}

TEST(OllamaResponses, ACountThatIsLeftOutIsUnknown) {
  const auto row = [](std::string_view time, std::string_view rest) {
    return fmt::format(R"({{"model": "m", "created_at": "2026-11-02T09:15:{}Z", {}}})"
                       "\n",
                       time, rest);
  };
  const Trace trace = read_trace_bytes(
      "log", row("00.5", R"("message": {"content": "Hi"}, "done": false)") +
                 row("03.904000000",
                     R"("done": true, "total_duration": 3904000000, "prompt_eval_count": 100, "eval_count": 20)") +
                 row("01.143000000",
                     R"("done": true, "total_duration": 731000000, "prompt_eval_count": 50, "eval_count": 5)") +
                 row("09.1", R"("done": true, "total_duration": 100000000, "eval_count": 5)"));
  EXPECT_EQ(trace.format, "ollama-responses");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 100);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.refused.at("no_prompt_length").first_lines, std::vector<std::uint64_t>{4});
}

std::string capture(std::string_view input, std::string_view output, std::string_view time) {
  return fmt::format(R"({{"captureData": {{"endpointInput": {{"mode": "INPUT", "data": "{}", "encoding": "JSON"}}, )"
                     R"("endpointOutput": {{"mode": "OUTPUT", "data": "{}", "encoding": "JSON"}}}}, )"
                     R"("eventMetadata": {{"inferenceTime": "2026-11-02T09:15:{}Z"}}}})"
                     "\n",
                     input, output, time);
}

TEST(SageMaker, DataIsJsonInTextBase64OrEvents) {
  const std::string input = R"({\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}], \"max_tokens\": 512})";
  const std::string usage = R"(\"usage\": {\"prompt_tokens\": 100, \"completion_tokens\": 20})";
  const Trace trace = read_trace_bytes(
      "log", capture(input, "{" + usage + "}", "00") +
                 // {"usage": {"prompt_tokens": 50, "completion_tokens": 5}}
                 capture(input, "eyJ1c2FnZSI6IHsicHJvbXB0X3Rva2VucyI6IDUwLCAiY29tcGxldGlvbl90b2tlbnMiOiA1fX0=", "01") +
                 capture(input,
                         R"(data: {\"choices\": [{\"delta\": {\"content\": \"Yes\"}}], \"usage\": null}\n\ndata: {)" +
                             usage + R"(}\n\ndata: [DONE]\n)",
                         "02") +
                 capture(input, "broken {", "03"));
  EXPECT_EQ(trace.format, "sagemaker");
  EXPECT_EQ(trace.time_resolution_ms, 1000);
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 100);
  EXPECT_EQ(trace.details[0].max_completion, std::optional(Tokens(512)));
  EXPECT_EQ(trace.rows[1].arrival, 1s);
  EXPECT_EQ(trace.rows[1].prompt.value(), 50);
  EXPECT_EQ(trace.rows[2].completion.value(), 20);
  EXPECT_EQ(trace.refused.at("no_completion_length").first_lines, std::vector<std::uint64_t>{4});
}

TEST(SageMaker, ResponsesWithoutUsageAreEstimated) {
  const std::string input = R"({\"prompt\": \"123456789012\"})";
  const Trace trace = read_trace_bytes(
      "log",
      capture(input, R"(data: {\"choices\": [{\"text\": \"abcd\"}]}\n\ndata: {\"choices\": [{\"text\": \"efgh\"}]}\n)",
              "00"),
      {.tokens_per_character = 0.25});
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_TRUE(trace.tokens_estimated);
  EXPECT_EQ(trace.rows[0].prompt.value(), 3);
  EXPECT_EQ(trace.rows[0].completion.value(), 2);
}

TEST(EvalscopeTrace, BodiesHoldThePrompts) {
  const auto row = [](std::string_view time, std::string_view session) {
    return fmt::format(
        R"({{"timestamp": {}, "body": {{"messages": [{{"role": "user", "content": "Hello"}}], "max_tokens": 9}}, )"
        R"("headers": {{"x-session-id": "{}"}}, "completion_tokens": 3}})"
        "\n",
        time, session);
  };
  const Trace trace = read_trace_bytes("log", row("17.5", "a") + row("18", "b"), {.tokens_per_character = 0.5});
  EXPECT_EQ(trace.format, "evalscope-trace");
  EXPECT_EQ(trace.time_zone, "");  // seconds after the log's start
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[1].arrival, 500ms);
  EXPECT_EQ(trace.rows[0].completion.value(), 3);
  EXPECT_EQ(trace.rows[0].prompt.value(), 6);  // "user", "Hello" and two line ends: 11 characters
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"a", "b"}));
  const Trace kept = read_trace_bytes("log", row("17.5", "a"), {.keep_texts = true});
  EXPECT_EQ(kept.texts.at(0).text, R"([{"role": "user", "content": "Hello"}])");
}

TEST(GatewayCharacters, RowsWithTokensCalibrateTheOthers) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"ts": "2026-11-02T09:15:00.000Z", "path": "/v1/chat/completions", "prompt_chars": 400, "completion_chars": 80, "status": 200, "prompt_tokens": 100, "completion_tokens": 16})"
      "\n"
      R"({"ts": "2026-11-02T09:15:00.412Z", "path": "/v1/chat/completions", "prompt_chars": 200, "completion_chars": 40, "status": 200})"
      "\n"
      R"({"ts": "2026-11-02T09:15:00.500Z", "path": "/v1/chat/completions", "prompt_chars": 200, "completion_chars": 0, "status": 503})"
      "\n"
      R"({"ts": "2026-11-02T09:15:00.500Z", "path": "/v1/models", "status": 200})"
      "\n");
  EXPECT_EQ(trace.format, "gateway-characters");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_TRUE(trace.tokens_estimated);
  EXPECT_EQ(trace.rows[1].prompt.value(), 50);
  EXPECT_EQ(trace.rows[1].completion.value(), 8);
  EXPECT_EQ(trace.refused.at("failed").count, 1u);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
}

TEST(GatewayCharacters, NobodyGuessesTheRatio) {
  EXPECT_NE(refusal_sentence(R"({"ts": "2026-11-02T09:15:00.000Z", "prompt_chars": 400, "completion_chars": 80})")
                .find("--tokens-per-char"),
            std::string::npos);
}

TEST(GatewayLogsWithoutLengths, SayWhatToLogInstead) {
  const std::string access = refusal_sentence(
      "10.0.3.7 - - [02/Nov/2026:09:15:03 +0000] \"POST /v1/chat/completions HTTP/1.1\" 200 40280 \"-\" \"curl\"\n");
  EXPECT_NE(access.find("this is a web server's access log"), std::string::npos) << access;
  EXPECT_NE(access.find("upstream_http_x_prompt_tokens"), std::string::npos) << access;
  const std::string sums = refusal_sentence(
      R"({"object": "page", "data": [{"object": "bucket", "start_time": 1, "end_time": 2, "results": []}]})");
  EXPECT_NE(sums.find("sums of many requests"), std::string::npos) << sums;
  const std::string bytes = refusal_sentence(
      R"({"ts": "2026-11-02T09:15:00.000Z", "path": "/v1/chat/completions", "request_bytes": 7682, "response_bytes": 40280})");
  EXPECT_NE(bytes.find("mostly framing"), std::string::npos) << bytes;
  EXPECT_NE(refusal_sentence("10.0.3.7 talks [of] nothing\n").find("no known trace format"), std::string::npos);
}

}  // namespace
}  // namespace loadline
