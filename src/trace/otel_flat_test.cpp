#include "trace/otel_flat.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view two_spans = R"({
  "trace_id": "t", "span_count": 2,
  "spans": [
    {"name": "chat m", "start_time": "2026-02-25T10:00:03.250000",
     "attributes": {"exgentic.session.id": "s", "gen_ai.operation.name": "chat", "gen_ai.request.max_tokens": 500,
       "gen_ai.input.messages": "[{\"role\": \"user\", \"content\": \"12345678\"}]", "gen_ai.output.text": "\u00e9234"},
     "status": {"code": 1}},
    {"name": "chat m", "start_time": "2026-02-25T10:00:00Z", "status": {"code": 0},
     "attributes": {"gen_ai.operation.name": "chat", "gen_ai.usage.prompt_tokens": 50, "gen_ai.usage.completion_tokens": 20,
       "gen_ai.input.messages": [{"role": "user", "content": "x"}]}},
    {"name": "chat m", "start_time": "2026-02-25T10:00:00Z", "status": {"code": 2},
     "attributes": {"gen_ai.operation.name": "chat"}},
    {"name": "chat m", "start_time": "soon", "status": {},
     "attributes": {"gen_ai.operation.name": "chat", "gen_ai.usage.prompt_tokens": 50, "gen_ai.usage.completion_tokens": 20}},
    {"name": "plan", "start_time": "2026-02-25T10:00:00Z", "attributes": {"gen_ai.operation.name": "invoke_agent"}}
  ]
})";

TEST(OtelFlat, TextsStandForLengths) {
  ReadOptions options;
  options.tokens_per_character = 0.5;
  const Trace trace = read_trace_bytes("log", two_spans, options);
  EXPECT_EQ(trace.format, "otel-flat");
  EXPECT_EQ(trace.time_zone, "UTC");
  EXPECT_EQ(trace.time_resolution_ms, 0.001);
  EXPECT_TRUE(trace.tokens_estimated);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 50);
  EXPECT_EQ(trace.rows[0].session, no_session);
  EXPECT_EQ(trace.rows[1].arrival, 3250ms);
  EXPECT_EQ(trace.rows[1].prompt.value(), 7);      // half of "user\n12345678\n"
  EXPECT_EQ(trace.rows[1].completion.value(), 2);  // half of four characters, one of two bytes
  EXPECT_EQ(trace.sessions.at(trace.rows[1].session), "s");
  EXPECT_EQ(trace.details[1].max_completion, Tokens(500));
  EXPECT_EQ(trace.refused.at("failed").first_lines, (std::vector<std::uint64_t>{11}));
  EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, (std::vector<std::uint64_t>{13}));
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.read, 5u);
}

TEST(OtelFlat, OneSpanAnObjectIsReadToo) {
  const std::string span =
      "{\n \"name\": \"chat m\", \"context\": {}, \"start_time\": \"2026-02-25T10:00:00.5Z\",\n \"status\": "
      "{\"status_code\": \"UNSET\"}, \"attributes\": {\"gen_ai.operation.name\": \"chat\", "
      "\"gen_ai.usage.input_tokens\": 5, \"gen_ai.usage.output_tokens\": 6, "
      "\"gen_ai.output.messages\": \"[{\\\"role\\\": \\\"assistant\\\"}]\"}\n}\n";
  std::string failed = span;
  failed.replace(failed.find("UNSET"), 5, "ERROR");
  const Trace trace = read_trace_bytes("log", span + failed + span.substr(0, 40));
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.refused.at("failed").first_lines, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(trace.refused.at("truncated_last_line").first_lines, (std::vector<std::uint64_t>{9}));
}

TEST(OtelFlat, RealTraces) {
  const char* const shared = std::getenv("LOADLINE_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "LOADLINE_SHARED is not set: the traces of inference-perf are not at hand";
  const std::pair<const char*, std::size_t> files[] = {
      {"simple_chain", 3}, {"parallel_requests", 5}, {"prefix_sharing_example", 7}, {"code_review_workflow", 15}};
  for (const auto& [name, spans] : files) {
    const std::string path = std::string(shared) + "/traces/otel/inference_perf_" + name + ".json";
    ReadOptions options;
    options.tokens_per_character = 0.25;
    const Trace trace = read_trace({path}, options);
    EXPECT_EQ(trace.format, "otel-flat");
    EXPECT_EQ(trace.rows.size(), spans) << name;
    EXPECT_EQ(trace.read, spans) << name;
    EXPECT_EQ(trace.sharing, SharingOrigin::hashed) << name;
    const bool counted = std::string_view(name) == "prefix_sharing_example";  // this one has token counts
    EXPECT_EQ(trace.tokens_estimated, !counted) << name;
    if (counted) continue;
    EXPECT_THROW(read_trace({path}), Error);
  }
}

}  // namespace
}  // namespace loadline
