#include "trace/litellm.h"

#include <gtest/gtest.h>

#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view spend_array = R"([
 {
  "request_id": "1", "call_type": "acompletion", "api_key": "hash-1", "spend": 0.1, "total_tokens": 120,
  "prompt_tokens": 100, "completion_tokens": 20, "startTime": "2026-11-02T09:15:00.000Z",
  "endTime": "2026-11-02T09:15:03.904Z", "cache_hit": "False", "end_user": "u-1", "session_id": "s-1",
  "metadata": {"usage_object": {"prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": null}}},
  "messages": {}, "status": "success"
 },
 {
  "status": "failure", "session_id": "s-9", "request_id": "2", "call_type": "acompletion", "api_key": "hash-1",
  "spend": 0, "prompt_tokens": 0, "completion_tokens": 0, "startTime": "2026-11-02T09:15:01.000Z", "metadata": {}
 },
 {
  "request_id": "3", "call_type": "aembedding", "api_key": "hash-1", "spend": 0, "prompt_tokens": 30,
  "completion_tokens": 0, "startTime": "2026-11-02T09:15:02.000Z", "metadata": {}, "status": "success"
 },
 {
  "request_id": "4", "call_type": "acompletion", "api_key": "hash-2", "spend": 0, "prompt_tokens": 50,
  "completion_tokens": 5, "startTime": "2026-11-02T09:15:02.500Z", "metadata": {}, "status": "success",
  "cache_hit": "True"
 },
 {
  "request_id": "5", "call_type": "acompletion", "api_key": "hash-2", "spend": 0, "prompt_tokens": 50,
  "completion_tokens": 5, "startTime": "2026-11-02T09:15:02.412Z", "metadata": {}, "status": "success",
  "end_user": ""
 }
]
)";

TEST(LiteLlm, SpendLogsAsAnArray) {
  const Trace trace = read_trace_bytes("log", spend_array);
  EXPECT_EQ(trace.format, "litellm");
  EXPECT_EQ(trace.time_zone, "UTC");
  EXPECT_EQ(trace.time_resolution_ms, 1);
  EXPECT_EQ(trace.sharing, SharingOrigin::cached_counts);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 100);
  EXPECT_EQ(trace.rows[0].completion.value(), 20);
  EXPECT_EQ(trace.rows[0].cached, std::optional(Tokens(64)));
  EXPECT_EQ(trace.rows[1].arrival, 2412ms);
  EXPECT_FALSE(trace.rows[1].cached);  // not logged, which is not 0
  EXPECT_EQ(trace.rows[1].session, no_session);
  EXPECT_EQ(trace.sessions, std::vector<std::string>{"s-1"});  // none of the failed row
  EXPECT_EQ(trace.clients, (std::vector<std::string>{"u-1", "hash-2"}));
  EXPECT_EQ(trace.refused.at("failed").first_lines, std::vector<std::uint64_t>{9});
  EXPECT_EQ(trace.filtered.at("other"), 2u);  // an embedding, and an answer of LiteLLM's own cache
  EXPECT_EQ(trace.read, 5u);
}

TEST(LiteLlm, SpendLogsAsATableWithJsonInACell) {
  const Trace trace = read_trace_bytes(
      "log",
      "\xEF\xBB\xBFspend,call_type,startTime,prompt_tokens,completion_tokens,metadata,session_id,status\r\n"
      "0,acompletion,2026-11-02 09:15:00.000,100,20,\"{\"\"usage_object\"\": {\"\"prompt_tokens_details\"\": "
      "{\"\"cached_tokens\"\": 64}}}\",s-1,success\r\n"
      "0,acompletion,2026-11-02 09:15:00.412,50,5,{},,success\r\n"
      "0,acompletion,2026-11-02 09:15:01.000,0,0,{},s-9,failure\r\n"
      "0,acompletion,2026-11-02 09:15:01.000,5,broken,{},s-9,success\r\n"
      "0,acompletion,2026-11-02 09:15:01.000,5,6,not json,s-2,success\r\n"
      "0,acompletion,2026-11-02 09:1");
  EXPECT_EQ(trace.format, "litellm");
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[0].cached, std::optional(Tokens(64)));
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.rows[1].session, no_session);
  EXPECT_EQ(trace.refused.at("failed").first_lines, std::vector<std::uint64_t>{4});
  EXPECT_EQ(trace.refused.at("malformed").first_lines, std::vector<std::uint64_t>{5});
  EXPECT_EQ(trace.refused.at("truncated_last_line").first_lines, std::vector<std::uint64_t>{7});
}

TEST(LiteLlm, StandardLoggingStampsUnixSeconds) {
  const Trace trace = read_trace_bytes(
      "log",
      R"({"id": "a", "trace_id": "t-1", "session_id": "s-1", "call_type": "acompletion", "response_cost": 0.1, "status": "success", "prompt_tokens": 100, "completion_tokens": 20, "startTime": 1793610900.0, "metadata": {"usage_object": {"prompt_tokens_details": {"cached_tokens": 0}}}, "cache_hit": null, "end_user": "", "messages": [{"role": "user", "content": "redacted-by-litellm"}], "model_parameters": {"max_tokens": 512}})"
      "\n"
      R"({"id": "b", "trace_id": "t-2", "call_type": "acompletion", "response_cost": 0.1, "status": "success", "prompt_tokens": 7, "completion_tokens": 2, "startTime": 1793610900.412, "metadata": {}, "messages": [{"role": "user", "content": "redacted-by-litellm"}]})");
  EXPECT_EQ(trace.format, "litellm-logging");
  EXPECT_EQ(trace.time_zone, "UTC");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.started, Nanos(1793610900'000'000'000));
  EXPECT_EQ(trace.rows[0].cached, std::optional(Tokens(0)));
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.details[0].max_completion, std::optional(Tokens(512)));
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"s-1", "t-2"}));
  EXPECT_TRUE(trace.blocks.empty());  // what stands in for messages tells of no shared prefix
}

TEST(LiteLlm, MessagesAreHashed) {
  const std::string text(3000, 'x');
  const auto row = [&](int second, const std::string& end) {
    return R"({"response_cost": 1, "call_type": "completion", "startTime": 179361090)" + std::to_string(second) +
           R"(, "prompt_tokens": 1000, "completion_tokens": 9, "messages": [{"role": "user", "content": ")" + text +
           end + "\"}]}\n";
  };
  const Trace trace = read_trace_bytes("log", row(0, "one") + row(1, "two"));
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  EXPECT_GT(trace.rows[0].block_count, 10u);
  EXPECT_EQ(trace.blocks[trace.rows[0].first_block], trace.blocks[trace.rows[1].first_block]);
  const Trace kept = read_trace_bytes("log", row(0, "one"), {.keep_texts = true});
  ASSERT_EQ(kept.texts.size(), 1u);
  EXPECT_TRUE(kept.texts[0].is_messages);
  EXPECT_TRUE(kept.texts[0].text.starts_with(R"([{"role": "user")"));
}

}  // namespace
}  // namespace loadline
