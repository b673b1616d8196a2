#include "trace/langfuse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::string observation(std::string_view type, std::string_view second, std::string_view usage,
                        std::string_view more = "") {
  return fmt::format(
      R"({{"id": "x", "traceId": "t-1", "type": "{}", "startTime": "2026-11-02T09:15:{}Z", "level": "DEFAULT", )"
      R"("input": null, "usageDetails": {}{}}})",
      type, second, usage, more);
}

TEST(Langfuse, OnlyGenerationsCountAndPartsAddUp) {
  const Trace trace = read_trace_bytes(
      "log",
      "[\n" + observation("GENERATION", "00.000", R"({"input": 100, "output": 20, "total": 120})") + ",\n" +
          observation("SPAN", "00.100", "{}") + ",\n" +
          observation(
              "GENERATION", "00.412",
              R"({"input": 36, "input_cached_tokens": 64, "input_audio_tokens": 3, "output": 9, "total": 112})") +
          ",\n" +
          // The parts are inside here, as the total says.
          observation(
              "GENERATION", "01.000",
              R"({"input": 100, "input_cached_tokens": 64, "output": 20, "output_reasoning_tokens": 8, "total": 120})",
              R"(, "modelParameters": {"max_tokens": 77})") +
          ",\n" + observation("GENERATION", "02.000", R"({"input": 5, "output": 0})", R"(, "level": "ERROR")") +
          "\n]\n");
  EXPECT_EQ(trace.format, "langfuse");
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.refused.at("failed").first_lines, std::vector<std::uint64_t>{6});
  EXPECT_EQ(trace.rows[0].prompt.value(), 100);
  EXPECT_FALSE(trace.rows[0].cached);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.rows[1].prompt.value(), 103);
  EXPECT_EQ(trace.rows[1].cached, std::optional(Tokens(64)));
  EXPECT_EQ(trace.rows[2].prompt.value(), 100);
  EXPECT_EQ(trace.rows[2].completion.value(), 20);
  EXPECT_EQ(trace.details[2].max_completion, std::optional(Tokens(77)));
  EXPECT_EQ(trace.sessions, std::vector<std::string>{"t-1"});  // three generations of one trace
  EXPECT_EQ(trace.rows[2].turn, 2u);
  EXPECT_EQ(trace.remarks.size(), 1u);  // that traces stand for sessions
}

TEST(Langfuse, PagesOfTheApi) {
  const std::string usage = R"({"input": 100, "output": 20})";
  const Trace trace =
      read_trace_bytes("log", "{\"data\": [\n" + observation("GENERATION", "00", usage, R"(, "sessionId": "s-1")") +
                                  ",\n" + observation("GENERATION", "01", R"({"input": "many", "output": 20})") +
                                  "],\n \"meta\": {\"page\": 1}}\n{\"meta\": {\"page\": 2}, \"data\": [" +
                                  observation("GENERATION", "02", usage, R"(, "sessionId": "s-1")") +
                                  "]}\n{\"data\": []}\n" + "{\"data\": [{\"trunc");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.sessions, std::vector<std::string>{"s-1"});
  EXPECT_EQ(trace.refused.at("malformed").first_lines, std::vector<std::uint64_t>{3});
  EXPECT_EQ(trace.refused.at("truncated_last_line").first_lines, std::vector<std::uint64_t>{7});
  EXPECT_EQ(trace.read, 4u);
  EXPECT_TRUE(trace.remarks.empty());
}

TEST(Langfuse, TablesHoldTheUsageAsJsonInACell) {
  const Trace trace = read_trace_bytes(
      "log",
      "id,type,trace_id,start_time,usage_details,level\n"
      "1,GENERATION,t-1,2026-11-02 09:15:00.000,\"{\"\"input\"\": 36, \"\"input_cached_tokens\"\": 64, \"\"output\"\": "
      "9, \"\"total\"\": 109}\",DEFAULT\n"
      "2,SPAN,t-1,2026-11-02 09:15:00.100,{},DEFAULT\n"
      "3,GENERATION,t-1,2026-11-02 09:15:00.412,{},DEFAULT\n");
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 100);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.refused.at("no_prompt_length").first_lines, std::vector<std::uint64_t>{4});
}

}  // namespace
}  // namespace loadline
