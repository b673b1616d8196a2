#include "trace/aiperf_mooncake.h"

#include <gtest/gtest.h>

#include <string>

#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using LineNumbers = std::vector<std::uint64_t>;

TEST(AiperfMooncake, LengthsAlone) {
  const Trace trace = read_trace_bytes("log",
                                       "{\"output_length\": 212, \"input_length\": 1843, \"timestamp\": 0}\r\n"
                                       "{\"timestamp\": 412, \"input_length\": \"961\", \"output_length\": 37.0}\n"
                                       "\n"
                                       "{\"timestamp\": 1207.5, \"input_length\": 4096, \"output_length\": 603}");
  EXPECT_EQ(trace.format, "aiperf-mooncake");
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_EQ(trace.rows[1].prompt.value(), 961);
  EXPECT_EQ(trace.rows[1].completion.value(), 37);
  EXPECT_EQ(trace.rows[2].arrival, 1'207'500us);
  EXPECT_EQ(trace.sharing, SharingOrigin::unknown);
  EXPECT_EQ(trace.block_size, 0u);
  EXPECT_EQ(trace.time_resolution_ms, 1);
  EXPECT_EQ(trace.time_zone, "");
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
}

TEST(AiperfMooncake, LaterTurnsFollowTheirDelay) {
  const Trace trace = read_trace_bytes(
      "log",
      "{\"session_id\": \"a\", \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [0, 1], \"timestamp\": 100}\n"
      "{\"session_id\": 7, \"input_length\": 512, \"output_length\": 6, \"hash_ids\": [2], \"timestamp\": 150}\n"
      "{\"session_id\": \"a\", \"input_length\": 700, \"output_length\": 7, \"hash_ids\": [0, 3], \"delay\": 2300}\n");
  EXPECT_EQ(trace.format, "aiperf-mooncake");
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"a", "7"}));
  EXPECT_EQ(trace.rows[0].turn, 0u);
  EXPECT_EQ(trace.rows[2].session, trace.rows[0].session);
  EXPECT_EQ(trace.rows[2].turn, 1u);
  EXPECT_TRUE(trace.rows[1].arrival_known);
  EXPECT_FALSE(trace.rows[2].arrival_known);
  ASSERT_EQ(trace.details.size(), 3u);
  EXPECT_EQ(trace.details[2].delay, Nanos(2300ms));
  EXPECT_FALSE(trace.details[0].delay);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  EXPECT_EQ(trace.block_size, 512u);
  EXPECT_TRUE(trace.partial_tail);
  EXPECT_EQ(trace.blocks, (std::vector<std::uint64_t>{0, 1, 2, 0, 3}));
}

TEST(AiperfMooncake, TextsAreEstimatedAndShareTheirBeginnings) {
  const std::string question(512, 'q');
  const std::string log = "{\"timestamp\": 0, \"text_input\": \"" + question + "\", \"output_length\": 212}\n" +
                          "{\"timestamp\": 5, \"text_input\": \"" + question + "more\", \"output_length\": 3}\n" +
                          "{\"timestamp\": 9, \"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"text\", "
                          "\"text\": \"Gr\\u00fc\\u00dfe\"}]}], \"output_length\": 4}\n";
  const Trace trace = read_trace_bytes("log", log, {.tokens_per_character = 0.25});
  EXPECT_EQ(trace.format, "aiperf-mooncake");
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_TRUE(trace.tokens_estimated);
  EXPECT_EQ(trace.rows[0].prompt.value(), 128);
  EXPECT_EQ(trace.rows[1].prompt.value(), 129);
  EXPECT_EQ(trace.rows[2].prompt.value(), 3);  // "user\nGrüße\n": 11 characters
  EXPECT_EQ(trace.rows[2].completion.value(), 4);
  ASSERT_EQ(trace.rows[0].block_count, 4u);
  ASSERT_EQ(trace.rows[1].block_count, 4u);
  EXPECT_EQ(trace.blocks[trace.rows[0].first_block + 3], trace.blocks[trace.rows[1].first_block + 3]);
  const Trace texts = read_trace_bytes("log", log, {.keep_texts = true});
  ASSERT_EQ(texts.texts.size(), 3u);
  EXPECT_EQ(texts.texts[1].text, question + "more");
  EXPECT_TRUE(texts.texts[2].is_messages);
}

TEST(AiperfMooncake, EveryRowIsInTheBooks) {
  const std::string start = "{\"session_id\": \"a\", \"hash_ids\": [1], ";
  const Trace trace = read_trace_bytes(
      "log", start + "\"timestamp\": 1, \"input_length\": 9, \"output_length\": 5}\n" +
                 "{\"timestamp\": 2, \"output_length\": 5, \"session_id\": \"b\"}\n" +                          // 2
                 start + "\"timestamp\": 2, \"input_length\": 513, \"output_length\": 5}\n" +                   // 3
                 "{\"session_id\": \"new\", \"delay\": 5, \"input_length\": 9, \"output_length\": 5}\n" +       // 4
                 start + "\"timestamp\": -2, \"input_length\": 9, \"output_length\": 5}\n" +                    // 5
                 start + "\"timestamp\": 2, \"input_length\": 0, \"output_length\": 5}\n" +                     // 6
                 start + "\"timestamp\": 2, \"input_length\": 9, \"output_length\": 0}\n" +                     // 7
                 start + "\"timestamp\": 2, \"input_length\": \"nine\", \"output_length\": 5}\n" +              // 8
                 start + "\"timestamp\": 2, \"input_length\": 99999999999, \"output_length\": 5}\n" +           // 9
                 "{\"timestamp\": 2, \"input_length\": 9, \"output_length\": 5, \"hash_ids\": {}}\n" +          // 10
                 "{\"timestamp\": 2, \"input_length\": 9, \"output_length\": 5, \"session_id\": \"\xff\"}\n" +  // 11
                 start + "\"timestamp\": 2, \"input_len");                                                      // 12
  EXPECT_EQ(trace.read, 12u);
  EXPECT_EQ(trace.rows.size(), 1u);
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("no_prompt_length"), LineNumbers{2});
  EXPECT_EQ(lines("hash_count_disagrees"), LineNumbers{3});
  EXPECT_EQ(lines("bad_timestamp"), (LineNumbers{4, 5}));
  EXPECT_EQ(lines("prompt_zero"), LineNumbers{6});
  EXPECT_EQ(lines("completion_zero"), LineNumbers{7});
  EXPECT_EQ(lines("malformed"), (LineNumbers{8, 10}));
  EXPECT_EQ(lines("out_of_range"), LineNumbers{9});
  EXPECT_EQ(lines("not_utf8"), LineNumbers{11});
  EXPECT_EQ(lines("truncated_last_line"), LineNumbers{12});
  EXPECT_EQ(trace.blocks, std::vector<std::uint64_t>{1});
}

TEST(AiperfMooncake, WithoutTimestampsThereAreNoTimes) {
  const Trace trace = read_trace_bytes("log",
                                       "{\"session_id\": \"a\", \"input_length\": 9, \"output_length\": 5}\n"
                                       "{\"session_id\": \"a\", \"input_length\": 8, \"output_length\": 5, "
                                       "\"delay\": 10}\n");
  EXPECT_FALSE(trace.has_times);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[1].turn, 1u);
  EXPECT_EQ(trace.remarks.size(), 1u);
}

}  // namespace
}  // namespace loadline
