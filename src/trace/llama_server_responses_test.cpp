#include "trace/llama_server_responses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::uint64_t>;

std::string response(std::string_view created, std::string_view timings, std::string_view more = "") {
  return fmt::format("{{\"object\": \"chat.completion\"{}, \"choices\": [{{\"index\": 0}}]{}, \"timings\": {{{}}}}}\n",
                     created.empty() ? "" : fmt::format(", \"created\": {}", created), more, timings);
}

constexpr std::string_view sound =
    "\"cache_n\": 1536, \"prompt_n\": 2560, \"prompt_ms\": 302.0, \"predicted_n\": 603, \"predicted_ms\": 10958.0";

TEST(LlamaServerResponses, TheEndLessItsDurationIsTheArrival) {
  const Trace trace = read_trace_bytes(
      "log", response("1793610912", sound) +
                 response("1793610903",
                          "\"prompt_n\": 1800, \"prompt_ms\": 181, \"predicted_n\": 212, \"predicted_ms\": 3723.5",
                          ", \"usage\": {\"prompt_tokens\": 1843, \"completion_tokens\": 212}"));
  EXPECT_EQ(trace.format, "llama-server-responses");
  EXPECT_EQ(trace.time_zone, "UTC");
  EXPECT_EQ(trace.time_resolution_ms, 1000);
  EXPECT_EQ(trace.remarks.size(), 1u);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.started, Nanos(1793610903s) - 3904500us);
  EXPECT_EQ(trace.rows[0].prompt.value(), 1843);
  EXPECT_EQ(trace.rows[0].cached, Tokens(43));  // an older build: usage less what was computed
  EXPECT_EQ(trace.rows[0].completion.value(), 212);
  EXPECT_EQ(trace.rows[1].arrival, 9s - 11260ms + 3904500us);
  EXPECT_EQ(trace.rows[1].prompt.value(), 4096);
  EXPECT_EQ(trace.rows[1].cached, Tokens(1536));
}

TEST(LlamaServerResponses, EveryRecordIsInTheBooks) {
  const Trace trace = read_trace_bytes(
      "log", response("1793610912", sound) + "{\"object\": \"chat.completion.chunk\", \"created\": 1793610912}\n\n" +
                 "{\"error\": {\"code\": 503}}\n" +                                                         // 4
                 response("1793610912", "\"cache_n\": 1, \"prompt_n\": \"ten\", \"predicted_n\": 5") +      // 5
                 response("1793610912", "\"prompt_n\": 10, \"predicted_n\": 5") +                           // 6
                 response("1793610912", "\"cache_n\": 0, \"prompt_n\": 10, \"predicted_n\": 0") +           // 7
                 response("", sound) + response("\"now\"", sound) +                                         // 8, 9
                 response("1793610912", "\"cache_n\": 0, \"prompt_n\": 99999999999, \"predicted_n\": 5") +  // 10
                 response("1793610912", "\"cache_n\": 0, \"prompt_n\": 10") +                               // 11
                 "{\"object\": \"chat.comp");                                                               // 12
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.filtered.at("intermediate"), 1u);
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
  EXPECT_EQ(lines("failed"), (Lines{4}));
  EXPECT_EQ(lines("malformed"), (Lines{5}));
  EXPECT_EQ(lines("no_prompt_length"), (Lines{6}));
  EXPECT_EQ(lines("completion_zero"), (Lines{7}));
  EXPECT_EQ(lines("bad_timestamp"), (Lines{8, 9}));
  EXPECT_EQ(lines("out_of_range"), (Lines{10}));
  EXPECT_EQ(lines("no_completion_length"), (Lines{11}));
  EXPECT_EQ(lines("truncated_last_line"), (Lines{12}));
}

TEST(LlamaServerResponses, WithoutTimesArrivalsAreUnknown) {
  const Trace trace = read_trace_bytes("log", response("", sound) + response("", sound));
  EXPECT_FALSE(trace.has_times);
  EXPECT_EQ(trace.time_zone, "");
  EXPECT_EQ(trace.rows.size(), 2u);
  ASSERT_EQ(trace.remarks.size(), 1u);
  EXPECT_NE(trace.remarks[0].find("hold no time"), std::string::npos);
}

}  // namespace
}  // namespace loadline
