#include "trace/read_trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/error.h"
#include "trace/format.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::string azure_header(std::string_view rest) {
  return "TIMESTAMP,ContextTokens,GeneratedTokens\n" + std::string(rest);
}

std::string mooncake_row(std::string_view time, std::string_view input, std::string_view output, std::string_view ids) {
  return fmt::format("{{\"timestamp\": {}, \"input_length\": {}, \"output_length\": {}, \"hash_ids\": [{}]}}\n", time,
                     input, output, ids);
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string message_of_bytes(std::string_view bytes, std::optional<std::string> format = {}) {
  return message_of([&] { read_trace_bytes("log", bytes, {format}); });
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::filesystem::path shared_trace(const char* name) {
  const char* const folder = std::getenv("LOADLINE_SHARED");
  return folder ? std::filesystem::path(folder) / "traces" / name : std::filesystem::path();
}

TEST(Azure, BothYearsGiveTheSameRows) {
  const Trace of_2023 =
      read_trace_bytes("2023", azure_header("2026-11-02 09:15:00.0000000,1843,212\n2026-11-02 09:15:00.4120000,961,37\n"
                                            "2026-11-02 09:16:03.0200000,15872,890"));
  const Trace of_2024 = read_trace_bytes(
      "2024", azure_header("2026-11-02 09:15:00+00:00,1843,212\r\n2026-11-02 09:15:00.412000+00:00,961,37\r\n"
                           "2026-11-02 09:16:03.020000+00:00,15872,890\r\n"));
  for (const Trace& trace : {of_2023, of_2024}) {
    EXPECT_EQ(trace.format, "azure");
    EXPECT_TRUE(trace.has_times);
    EXPECT_EQ(trace.sharing, SharingOrigin::unknown);
    ASSERT_EQ(trace.rows.size(), 3u);
    EXPECT_EQ(trace.rows[0].arrival, 0ns);
    EXPECT_EQ(trace.rows[1].arrival, 412ms);
    EXPECT_EQ(trace.rows[2].arrival, 63'020ms);
    EXPECT_EQ(trace.rows[2].prompt.value(), 15872);
    EXPECT_EQ(trace.rows[2].completion.value(), 890);
    EXPECT_FALSE(trace.rows[0].cached);
    EXPECT_EQ(trace.read, 3u);
  }
  EXPECT_EQ(of_2023.time_resolution_ms, 0.0001);
  EXPECT_EQ(of_2024.time_resolution_ms, 0.001);
}

TEST(Azure, EveryRowIsInTheBooks) {
  const Trace trace = read_trace_bytes("log", azure_header("2026-11-02 09:15:05,10,20\n"        // 2
                                                           "\n"                                 // 3 blank
                                                           "2026-11-02 09:15:04,0,20\n"         // 4 prompt_zero
                                                           "2026-11-02 09:15:04,10,0\n"         // 5 completion_zero
                                                           "2026-11-02 25:15:04,10,20\n"        // 6 bad_timestamp
                                                           ",10,20\n"                           // 7 bad_timestamp
                                                           "2026-11-02 09:15:04,-3,20\n"        // 8 out_of_range
                                                           "2026-11-02 09:15:04,10\n"           // 9 malformed
                                                           "2026-11-02 09:15:04,ten,20\n"       // 10 malformed
                                                           "\"2026-11-02 09:15:03\",\"7\",8\n"  // 11
                                                           "2026-11-02 09:15:09,1"));           // 12 truncated
  EXPECT_EQ(trace.read, 11u);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 7);  // sorted by arrival
  EXPECT_EQ(trace.rows[1].arrival, 2s);
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("prompt_zero"), (std::vector<std::uint64_t>{4}));
  EXPECT_EQ(lines("completion_zero"), (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(lines("bad_timestamp"), (std::vector<std::uint64_t>{6, 7}));
  EXPECT_EQ(lines("out_of_range"), (std::vector<std::uint64_t>{8}));
  EXPECT_EQ(lines("malformed"), (std::vector<std::uint64_t>{9, 10}));
  EXPECT_EQ(lines("truncated_last_line"), (std::vector<std::uint64_t>{12}));
  EXPECT_EQ(trace.time_resolution_ms, 1000);  // whole seconds only
}

TEST(Azure, FirstTenLinesOfAReasonAreKept) {
  std::string rows = "2026-11-02 09:15:05,10,20\n";
  for (int i = 0; i < 25; ++i) rows += "broken\n";
  const Trace trace = read_trace_bytes("log", azure_header(rows));
  EXPECT_EQ(trace.refused.at("malformed").count, 25u);
  EXPECT_EQ(trace.refused.at("malformed").first_lines.size(), 10u);
  EXPECT_EQ(trace.refused.at("malformed").first_lines.back(), 12u);
}

TEST(Azure, ColumnsAreFoundByName) {
  const Trace trace = read_trace_bytes(
      "log", "\xEF\xBB\xBFGeneratedTokens,Region,TIMESTAMP,ContextTokens\n5,eu,2026-11-02 09:15:05,10\n");
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 10);
  EXPECT_EQ(trace.rows[0].completion.value(), 5);
}

TEST(Azure, EqualTimesKeepTheOrderOfTheLog) {
  const Trace trace = read_trace_bytes(
      "log", azure_header("2026-11-02 09:15:06,1,1\n2026-11-02 09:15:05,2,1\n2026-11-02 09:15:05,3,1\n"));
  EXPECT_EQ(trace.rows[0].prompt.value(), 2);
  EXPECT_EQ(trace.rows[1].prompt.value(), 3);
  EXPECT_EQ(trace.rows[2].prompt.value(), 1);
}

TEST(Mooncake, RowsAndTheirBlocks) {
  const Trace trace = read_trace_bytes("log", mooncake_row("0", "1843", "212", "0, 1, 2, 3") +
                                                  mooncake_row("412", "512", "37", "18446744073709551615") +
                                                  mooncake_row("1207.5", "513", "603", "0,4294967296"));
  EXPECT_EQ(trace.format, "mooncake");
  EXPECT_EQ(trace.block_size, 512u);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[1].block_count, 1u);
  EXPECT_EQ(trace.blocks[trace.rows[1].first_block], 18446744073709551615u);
  EXPECT_EQ(trace.blocks[trace.rows[2].first_block + 1], 4294967296u);  // not cut to 32 bits
  EXPECT_EQ(trace.rows[2].arrival, 1'207'500us);
}

TEST(Mooncake, AFractionOfZerosIsALength) {
  const Trace trace =
      read_trace_bytes("log", mooncake_row("0", "600.0", "5.00", "1, 2") + mooncake_row("1", "600.5", "5", "1, 2"));
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 600);
  EXPECT_EQ(trace.refused.at("malformed").first_lines, std::vector<std::uint64_t>{2});
}

TEST(Mooncake, EveryRowIsInTheBooks) {
  const Trace trace = read_trace_bytes(
      "log", mooncake_row("0", "600", "1", "1, 2") + mooncake_row("0", "600", "1", "1") +  // 2 one id short
                 mooncake_row("0", "512", "1", "1, 2") +                                   // 3 one id too many
                 mooncake_row("0", "0", "1", "") +                                         // 4
                 mooncake_row("0", "600", "0", "1, 2") +                                   // 5
                 mooncake_row("null", "600", "5", "1, 2") +                                // 6
                 "{\"input_length\": 600, \"output_length\": 5, \"hash_ids\": [1, 2]}\n"   // 7 no time
                 "{\"timestamp\": 0, \"output_length\": 5, \"hash_ids\": [1, 2]}\n"        // 8 malformed
                 "not json\n" +                                                            // 9
                 mooncake_row("0", "99999999999", "5", "1, 2") +                           // 10
                 mooncake_row("0", "600", "5", "1, 99999999999999999999") +                // 11
                 mooncake_row("0", "600", "5", "1, \"two\"") +                             // 12
                 "{\"timestamp\": 0} {\"timestamp\": 0}\n"                                 // 13
                 "{\"timestamp\": 0, \"x\": \"\xff\xfe\"}\n"                               // 14
                 "   \n" +                                                                 // 15 blank
                 mooncake_row("7", "600", "5", "8, 9") +                                   // 16
                 "{\"timestamp\": 9, \"input_length\": 600, \"output_len");                // 17
  EXPECT_EQ(trace.read, 17u);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.blocks, (std::vector<std::uint64_t>{1, 2, 8, 9}));  // refused rows leave nothing behind
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("hash_count_disagrees"), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(lines("prompt_zero"), (std::vector<std::uint64_t>{4}));
  EXPECT_EQ(lines("completion_zero"), (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(lines("bad_timestamp"), (std::vector<std::uint64_t>{6, 7}));
  EXPECT_EQ(lines("malformed"), (std::vector<std::uint64_t>{8, 9, 12, 13}));
  EXPECT_EQ(lines("out_of_range"), (std::vector<std::uint64_t>{10, 11}));
  EXPECT_EQ(lines("not_utf8"), (std::vector<std::uint64_t>{14}));
  EXPECT_EQ(lines("truncated_last_line"), (std::vector<std::uint64_t>{17}));
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
}

TEST(Mooncake, NegativeTimesAndIdsAreRefused) {
  const Trace trace =
      read_trace_bytes("log", mooncake_row("0", "600", "1", "1, 2") + mooncake_row("-1", "600", "1", "1, 2") +
                                  mooncake_row("-2.5e3", "600", "1", "1, 2") + mooncake_row("3", "600", "1", "1, -2"));
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(trace.refused.at("out_of_range").first_lines, (std::vector<std::uint64_t>{4}));
}

TEST(Mooncake, TheSameForEveryFragmentation) {
  const std::string text =
      mooncake_row("0", "1843", "212", "0, 1, 2, 3") + "\r\n" + mooncake_row("412", "961", "37", "4, 5") + "{\"cut";
  const Trace whole = read_trace_bytes("log", text);
  for (std::size_t step = 1; step < text.size(); ++step) {
    const Trace pieces = read_trace_bytes("log", text, {}, step);
    EXPECT_EQ(pieces.blocks, whole.blocks);
    EXPECT_EQ(pieces.read, whole.read);
    EXPECT_EQ(pieces.refused.at("truncated_last_line").first_lines, (std::vector<std::uint64_t>{4}));
  }
}

TEST(Mooncake, ATickingClockIsFoundOut) {
  std::string rows;
  for (int tick = 0; tick < 200; ++tick) {
    // Milliseconds on paper, three seconds in truth, with a jitter of a few milliseconds.
    for (int i = 0; i < 4; ++i) rows += mooncake_row(fmt::format("{}", tick * 3000 + tick % 3), "5", "5", "1");
  }
  EXPECT_NEAR(read_trace_bytes("log", rows).time_resolution_ms, 3000, 3);
  std::string bursts;
  for (int burst = 0; burst < 200; ++burst) {
    for (int i = 0; i < 4; ++i) bursts += mooncake_row(fmt::format("{}", burst * burst * 10), "5", "5", "1");
  }
  EXPECT_EQ(read_trace_bytes("log", bursts).time_resolution_ms, 1);
}

TEST(Formats, TheTableIsSound) {
  for (const TraceFormat& format : trace_formats()) {
    EXPECT_EQ(format_named(format.name)->name, format.name);
    EXPECT_FALSE(format.content.empty());
    EXPECT_FALSE(format.recognised(LogHead("")));
  }
  EXPECT_EQ(format_named("nothing"), nullptr);
}

TEST(Formats, OneBrokenLineHidesNoFormat) {
  EXPECT_EQ(read_trace_bytes("log", "{\"timestamp\": 0, \"inp\n" + mooncake_row("0", "5", "5", "1")).rows.size(), 1u);
  // The same keys with a chat's identity are another format: blocks of 16, times in seconds.
  EXPECT_TRUE(contains(
      message_of_bytes(
          "{\"chat_id\": 1, \"timestamp\": 0.1, \"input_length\": 5, \"output_length\": 5, \"hash_ids\": [1]}\n"),
      "no known trace format"));
}

TEST(Errors, SayWhatWhereAndWhatToDo) {
  EXPECT_TRUE(contains(message_of([] { read_trace({"/nowhere/log.csv"}); }), "/nowhere/log.csv: no such file"));
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_TRUE(contains(message_of([&] { read_trace({folder}); }), "is a directory; name the log files inside it"));
  EXPECT_TRUE(contains(message_of_bytes(""), "log is empty"));
  EXPECT_TRUE(contains(message_of_bytes("\xEF\xBB\xBF"), "log is empty"));
  EXPECT_TRUE(contains(message_of_bytes("what,is,this\n1,2,3\n"), "known: canonical, "));
  EXPECT_TRUE(contains(message_of_bytes("\x1f\x8b\x08"), "gzip"));
  EXPECT_TRUE(contains(message_of_bytes("x", "oracle"), "\"oracle\" is no known trace format; known: canonical, "));
  EXPECT_TRUE(contains(message_of_bytes(azure_header("")), "has no rows"));
  EXPECT_TRUE(contains(message_of_bytes("a,b\n", "azure"), "line 1 is not the header"));
  EXPECT_TRUE(contains(message_of([] { read_trace({}); }), "no trace was named"));
  EXPECT_TRUE(contains(message_of([] { read_trace({""}); }), "the name of a trace is empty"));
}

TEST(Errors, NoUsableRowNamesTheMostFrequentReasonAndItsFirstLine) {
  const std::string message =
      message_of_bytes(azure_header("2026-11-02 09:15:00,1,0\nx,1,1\n2026-11-02 09:15:00,2,0\n"));
  EXPECT_TRUE(contains(message, "2 of 3 were refused as completion_zero, the first on line 2")) << message;
}

class SeveralFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / fmt::format("loadline_trace_test_{}", static_cast<const void*>(this));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const char* name, std::string_view text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

TEST_F(SeveralFiles, PartsOfOneLogAreMergedByTime) {
  const std::string late = write("late.csv", azure_header("2026-11-02 09:15:05.5,5,1\n2026-11-02 09:15:07,7,1\n"));
  const std::string early =
      write("early.csv", azure_header("2026-11-02 09:15:04,4,1\nbroken\n2026-11-02 09:15:06,6,1\n"));
  const Trace trace = read_trace({late, early});
  ASSERT_EQ(trace.rows.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(trace.rows[static_cast<std::size_t>(i)].prompt.value(), 4 + i);
  EXPECT_EQ(trace.rows[1].arrival, 1500ms);
  EXPECT_EQ(trace.read, 5u);
  EXPECT_EQ(trace.source, late + ", " + early);
  EXPECT_EQ(trace.time_resolution_ms, 100);
}

TEST_F(SeveralFiles, RefusedLinesNameTheirFile) {
  const std::string a = write("a.csv", azure_header("2026-11-02 09:15:04,4,1\nbroken\n"));
  const std::string b = write("b.csv", azure_header("2026-11-02 09:15:05,4,0\nbroken\nbroken\n"));
  const Trace trace = read_trace({a, b});
  const Refused& malformed = trace.refused.at("malformed");
  EXPECT_EQ(malformed.first_lines, (std::vector<std::uint64_t>{3, 3, 4}));
  EXPECT_EQ(malformed.first_files, (std::vector<std::string>{a, b, b}));
  EXPECT_EQ(trace.refused.at("completion_zero").first_files, std::vector<std::string>{b});
  EXPECT_TRUE(read_trace({a}).refused.at("malformed").first_files.empty());
  const std::string bad = write("bad.csv", azure_header("broken\n"));
  const std::string worse = write("worse.csv", azure_header("broken\nbroken\n"));
  EXPECT_TRUE(contains(message_of([&] { read_trace({bad, worse}); }), "the first at " + bad + ":2;"));
}

TEST_F(SeveralFiles, DifferentClocksAndFormatsAreRefused) {
  const std::string azure = write("a.csv", azure_header("2026-11-02 09:15:04,4,1\n"));
  const std::string mooncake = write("m.jsonl", mooncake_row("0", "5", "5", "1"));
  const std::string later = write("n.jsonl", mooncake_row("9", "5", "5", "1"));
  const std::string more = write("b.csv", azure_header("2026-11-02 09:15:05,4,1\n"));
  EXPECT_TRUE(contains(message_of([&] { read_trace({mooncake, later}); }), "each has its own clock"));
  const std::string two = message_of([&] { read_trace({azure, mooncake}); });
  EXPECT_TRUE(contains(two, azure + " is in the format azure and " + mooncake + " in the format mooncake")) << two;
  const std::string turned = message_of([&] { read_trace({mooncake, azure}); });
  EXPECT_TRUE(contains(turned, mooncake + " is in the format mooncake and " + azure + " in the format azure"))
      << turned;
  EXPECT_TRUE(
      contains(message_of([&] { read_trace({azure, more, mooncake}); }), "two formats cannot be read as one log"));
  EXPECT_EQ(read_trace({mooncake}).rows.size(), 1u);
  EXPECT_TRUE(contains(message_of([&] { read_trace({write("empty", "")}); }), "is empty"));
}

TEST(RealTraces, Azure2023) {
  const std::filesystem::path path = shared_trace("azure_llm_2023_conv.csv");
  if (path.empty()) GTEST_SKIP() << "LOADLINE_SHARED is not set: azure_llm_2023_conv.csv is not at hand";
  const Trace trace = read_trace({path.string()});
  EXPECT_EQ(trace.rows.size(), 19366u);
  EXPECT_EQ(trace.read, 19366u);
  EXPECT_TRUE(trace.refused.empty());
  EXPECT_NEAR(seconds(trace.rows.back().arrival), 3501.7, 0.05);
}

TEST(RealTraces, MooncakeConversation) {
  const std::filesystem::path path = shared_trace("mooncake_conversation.jsonl");
  if (path.empty()) GTEST_SKIP() << "LOADLINE_SHARED is not set: mooncake_conversation.jsonl is not at hand";
  const Trace trace = read_trace({path.string()});
  EXPECT_EQ(trace.rows.size(), 12031u);
  EXPECT_TRUE(trace.refused.empty());
  EXPECT_EQ(trace.blocks.size(), 288500u);
  EXPECT_NEAR(seconds(trace.rows.back().arrival), 3537.0, 0.05);
  EXPECT_NEAR(trace.time_resolution_ms, 3000, 5);
}

}  // namespace
}  // namespace loadline
