// Published traces of lengths: what each format's columns and keys mean, and where its rows go that cannot be used.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using Numbers = std::vector<std::uint64_t>;

Numbers refused_lines(const Trace& trace, const char* reason) {
  const auto refused = trace.refused.find(reason);
  return refused == trace.refused.end() ? Numbers{} : refused->second.first_lines;
}

TEST(Burstgpt, TheFirstRelease) {
  const Trace trace = read_trace_bytes("log",
                                       "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\r\n"
                                       "5,ChatGPT,1843,212,2055,Conversation log\r\n"
                                       "64,GPT-4,410,0,410,API log\r\n"
                                       "66,GPT-4,410,7,417,API log");
  EXPECT_EQ(trace.format, "burstgpt");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_TRUE(trace.has_times);
  EXPECT_EQ(trace.time_zone, "");
  EXPECT_EQ(trace.time_resolution_ms, 1000);
  EXPECT_EQ(trace.rows[0].arrival, 0s);
  EXPECT_EQ(trace.rows[1].arrival, 61s);
  EXPECT_EQ(trace.rows[0].prompt.value(), 1843);
  EXPECT_EQ(trace.rows[0].completion.value(), 212);
  EXPECT_EQ(trace.rows[0].session, no_session);
  EXPECT_FALSE(trace.rows[0].cached);
  EXPECT_EQ(refused_lines(trace, "failed"), Numbers{3});
  ASSERT_EQ(trace.remarks.size(), 1u);
  EXPECT_NE(trace.remarks[0].find("ChatGPT (Conversation log), GPT-4 (API log)"), std::string::npos);
}

TEST(Burstgpt, TheThirdReleaseHasSessions) {
  const Trace trace =
      read_trace_bytes("log",
                       "Session ID,Timestamp,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                       "41,0.0,3.9,ChatGPT,1843,212,2055,Conversation log\n"
                       ",0.4,0.7,ChatGPT,961,37,998,Conversation log\n"
                       "41,6.2,2.8,ChatGPT,2087,148,2235,Conversation log\n"
                       "41,-1,2.8,ChatGPT,2087,148,2235,Conversation log\n"        // 5
                       "41,never,2.8,ChatGPT,2087,148,2235,Conversation log\n"     // 6
                       "41,7,2.8,ChatGPT,99999999999,148,2235,Conversation log\n"  // 7
                       "41,7,2.8,ChatGPT,many,148,2235,Conversation log\n"         // 8
                       "41,7,2.8,ChatGPT,0,148,148,Conversation log\n"             // 9
                       "41,7,2.8,Ch");                                             // 10
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.sessions, std::vector<std::string>{"41"});
  EXPECT_EQ(trace.rows[1].session, no_session);
  EXPECT_EQ(trace.rows[2].turn, 1u);
  EXPECT_EQ(trace.rows[2].arrival, 6200ms);
  EXPECT_EQ(trace.time_resolution_ms, 100);
  EXPECT_EQ(trace.sharing, SharingOrigin::sessions);
  EXPECT_TRUE(trace.remarks.empty());
  EXPECT_EQ(refused_lines(trace, "bad_timestamp"), (Numbers{5, 6}));
  EXPECT_EQ(refused_lines(trace, "out_of_range"), Numbers{7});
  EXPECT_EQ(refused_lines(trace, "malformed"), Numbers{8});
  EXPECT_EQ(refused_lines(trace, "prompt_zero"), Numbers{9});
  EXPECT_EQ(refused_lines(trace, "truncated_last_line"), Numbers{10});
}

TEST(Vidur, WithTimesAndWithout) {
  const Trace timed = read_trace_bytes("log",
                                       "arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,374,44\n4.314579,396,109\n"
                                       "5.300000000000001,7,8\n");
  EXPECT_EQ(timed.format, "vidur");
  ASSERT_EQ(timed.rows.size(), 3u);
  EXPECT_EQ(timed.rows[1].arrival, 4'314'579us);
  EXPECT_EQ(timed.time_resolution_ms, 0.001);  // the digits of a sum's rounding are no clock's
  const Trace lengths = read_trace_bytes(
      "log", "num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio\n74,918,992,0.08\n5,0,5,0\nx,1,1,1\n");
  EXPECT_EQ(lengths.format, "vidur");
  EXPECT_FALSE(lengths.has_times);
  ASSERT_EQ(lengths.rows.size(), 1u);
  EXPECT_EQ(lengths.rows[0].prompt.value(), 74);
  EXPECT_EQ(lengths.rows[0].completion.value(), 918);
  EXPECT_EQ(refused_lines(lengths, "completion_zero"), Numbers{3});
  EXPECT_EQ(refused_lines(lengths, "malformed"), Numbers{4});
  EXPECT_EQ(lengths.remarks.size(), 1u);
  EXPECT_THROW(read_trace_bytes("log", "arrived_at,num_prefill_tokens,num_decode_tokens\n"), Error);
}

std::string qwen_row(int chat, int parent, const char* time, int turn, const char* rest) {
  return fmt::format(
      "{{\"chat_id\": {}, \"parent_chat_id\": {}, \"timestamp\": {}, \"turn\": {}, \"type\": \"text\", {}}}\n", chat,
      parent, time, turn, rest);
}

TEST(QwenBailian, ChainsOfChatsAreSessions) {
  const char* const small = "\"input_length\": 17, \"output_length\": 5, \"hash_ids\": [1, 2]";
  const Trace trace =
      read_trace_bytes("log", qwen_row(100, -1, "0.0", 1, small) + qwen_row(101, -1, "0.412", 1, small) +
                                  qwen_row(103, 100, "6.204", 2, small) + qwen_row(104, 103, "9.5", 3, small) +
                                  qwen_row(105, 50, "9.75", 4, small));
  EXPECT_EQ(trace.format, "qwen-bailian");
  ASSERT_EQ(trace.rows.size(), 5u);
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"100", "101", "105"}));
  EXPECT_EQ(trace.rows[3].session, trace.rows[0].session);
  EXPECT_EQ(trace.rows[3].turn, 2u);
  EXPECT_EQ(trace.rows[4].turn, 3u);  // as logged: its beginning is not in the log
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.time_resolution_ms, 1);
  EXPECT_EQ(trace.block_size, 16u);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  EXPECT_TRUE(trace.partial_tail);
}

TEST(QwenBailian, EveryRowIsInTheBooks) {
  const Trace trace = read_trace_bytes(
      "log",
      qwen_row(1, -1, "0", 1, "\"input_length\": 16, \"output_length\": 5, \"hash_ids\": [18446744073709551615]") +
          qwen_row(2, -1, "0", 1, "\"input_length\": 17, \"output_length\": 5, \"hash_ids\": [1]") +      // 2
          qwen_row(3, -1, "0", 0, "\"input_length\": 16, \"output_length\": 5, \"hash_ids\": [1]") +      // 3
          qwen_row(4, -1, "0", 1, "\"input_length\": 16, \"output_length\": 5") +                         // 4
          qwen_row(5, -1, "\"x\"", 1, "\"input_length\": 16, \"output_length\": 5, \"hash_ids\": [1]") +  // 5
          qwen_row(6, -1, "0", 1, "\"output_length\": 5, \"hash_ids\": [1]") +                            // 6
          qwen_row(7, -1, "0", 1, "\"input_length\": 16, \"output_length\": 0, \"hash_ids\": [1]") +      // 7
          qwen_row(8, -1, "0", 1, "\"input_length\": 16, \"output_length\": 5, \"hash_ids\": [99999999999999999999]"));
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.blocks, Numbers{18446744073709551615U});
  EXPECT_EQ(refused_lines(trace, "hash_count_disagrees"), Numbers{2});
  EXPECT_EQ(refused_lines(trace, "malformed"), (Numbers{3, 4}));
  EXPECT_EQ(refused_lines(trace, "bad_timestamp"), Numbers{5});
  EXPECT_EQ(refused_lines(trace, "no_prompt_length"), Numbers{6});
  EXPECT_EQ(refused_lines(trace, "completion_zero"), Numbers{7});
  EXPECT_EQ(refused_lines(trace, "out_of_range"), Numbers{8});
}

}  // namespace
}  // namespace loadline
