#include "trace/canonical.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

const std::string hashed_header =
    R"({"loadline_trace":1,"source":"a log","rows":3,"block_size":16,"tail":"dropped","ids":"chained","sharing":"hashed",)"
    R"("tokens":"estimated","time_resolution_ms":1,"tokenizer":"o200k"})"
    "\n";

std::string canonical_text(const Trace& trace) {
  std::ostringstream out;
  write_canonical(trace, out);
  return out.str();
}

std::string canonical_error(std::string_view text) {
  try {
    read_trace_bytes("log", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Canonical, ReadsAllThatARowMayHold) {
  const Trace trace = read_trace_bytes(
      "file",
      hashed_header +
          R"({"timestamp":0,"input_length":40,"output_length":5,"cached":16,"session":"s-1","turn":3,"client":"c \"1\"",)"
          R"("max":64,"status":200,"hash_runs":[[7,2]]})"
          "\n"
          R"({"timestamp":12.5,"input_length":15,"output_length":1,"session":9,"delay":2300,"hash_runs":[]})"
          "\n"
          R"({"timestamp":13,"input_length":64,"output_length":1,"session":"s-1","cached":null,"hash_runs":[[18446744073709551614,2],[3,2]]})");
  EXPECT_EQ(trace.format, "canonical");
  EXPECT_EQ(trace.source, "a log");
  EXPECT_EQ(trace.tokenizer, "o200k");
  EXPECT_TRUE(trace.tokens_estimated);
  EXPECT_FALSE(trace.partial_tail);
  EXPECT_EQ(trace.block_size, 16u);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.blocks, (std::vector<std::uint64_t>{7, 8, 18446744073709551614u, 18446744073709551615u, 3, 4}));
  EXPECT_EQ(trace.rows[0].cached, Tokens(16));
  EXPECT_FALSE(trace.rows[1].cached);
  EXPECT_FALSE(trace.rows[2].cached);
  EXPECT_EQ(trace.rows[0].turn, 3u);
  EXPECT_EQ(trace.rows[1].arrival, 12'500us);
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"s-1", "9"}));
  EXPECT_EQ(trace.rows[2].session, trace.rows[0].session);
  ASSERT_EQ(trace.details.size(), 3u);
  EXPECT_EQ(trace.details[0].max_completion, Tokens(64));
  EXPECT_EQ(trace.details[0].status, 200);
  EXPECT_EQ(trace.clients.at(trace.details[0].client), "c \"1\"");
  EXPECT_EQ(trace.details[1].delay, Nanos(2300ms));
  EXPECT_EQ(trace.details[2].client, no_client);
}

TEST(Canonical, WhatIsWrittenIsReadBack) {
  const std::string text =
      hashed_header +
      R"({"timestamp":0,"input_length":40,"output_length":5,"cached":16,"session":"s-1","turn":0,"client":"c \"1\"\n","max":64,"status":200,"hash_runs":[[7,2]]})"
      "\n"
      R"({"timestamp":12.000001,"input_length":15,"output_length":1,"session":"9","turn":0,"delay":2300,"hash_runs":[]})"
      "\n"
      R"({"timestamp":12.000001,"input_length":64,"output_length":1,"hash_runs":[[4,1],[3,1],[18446744073709551615,1],[0,1]]})"
      "\n";
  const Trace trace = read_trace_bytes("file", text);
  const std::string written = canonical_text(trace);
  EXPECT_EQ(canonical_text(read_trace_bytes("file", written)), written);
  std::string expected = text;
  const std::size_t newline = expected.find("\\n\"");
  expected.replace(newline, 2, "\\u000a");
  EXPECT_EQ(written, expected);
}

TEST(Canonical, WithoutTimesAndHashesNothingIsInvented) {
  const Trace azure = read_trace_bytes(
      "b\\l\"og.csv",
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2026-11-02 09:15:00.5,3,4\n2026-11-02 09:15:00.6805901,5,6\n");
  const std::string text = canonical_text(azure);
  EXPECT_EQ(
      text,
      R"({"loadline_trace":1,"source":"b\\l\"og.csv","rows":2,"block_size":null,"tail":null,"ids":null,"sharing":"unknown","tokens":"counted",)"
      R"("time_resolution_ms":0.0001,"tokenizer":null,"started":"2026-11-02T09:15:00.5Z"})"
      "\n"
      R"({"timestamp":0,"input_length":3,"output_length":4})"
      "\n"
      R"({"timestamp":180.5901,"input_length":5,"output_length":6})"
      "\n");
  Trace timeless = azure;
  timeless.has_times = false;
  const Trace again = read_trace_bytes("x", canonical_text(timeless));
  EXPECT_FALSE(again.has_times);
  EXPECT_EQ(again.rows.size(), 2u);
  EXPECT_EQ(canonical_text(timeless).find("timestamp"), std::string::npos);
}

TEST(Canonical, EveryRowIsInTheBooks) {
  const Trace trace = read_trace_bytes(
      "file", hashed_header +
                  "\n"  // 2 blank
                  R"({"timestamp":0,"input_length":32,"output_length":5,"hash_runs":[[7,2]]})"
                  "\n"  // 3
                  R"({"timestamp":0,"input_length":32,"output_length":5,"hash_runs":[[7,3]]})"
                  "\n"  // 4 count
                  R"({"timestamp":0,"input_length":32,"output_length":5})"
                  "\n"  // 5 no ids
                  R"({"input_length":32,"output_length":5,"hash_runs":[[7,2]]})"
                  "\n"  // 6 no time
                  R"({"timestamp":0,"input_length":32,"output_length":5,"hash_runs":[[7,2,1]]})"
                  "\n"  // 7
                  R"({"timestamp":0,"input_length":32,"output_length":5,"hash_runs":[7,2]})"
                  "\n"  // 8
                  R"({"timestamp":0,"input_length":32,"output_length":5,"hash_runs":[[7,99999999999]]})"
                  "\n"  // 9
                  R"({"timestamp":0,"input_length":32,"output_length":5,"cached":33,"hash_runs":[[7,2]]})"
                  "\n"  // 10
                  R"({"timestamp":0,"input_length":32,"output_length":5,"session":{},"hash_runs":[[7,2]]})"
                  "\n"                                           // 11
                  R"({"timestamp":0,"input_length":32,"outp)");  // 12
  EXPECT_EQ(trace.rows.size(), 1u);
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("hash_count_disagrees"), (std::vector<std::uint64_t>{4, 5}));
  EXPECT_EQ(lines("bad_timestamp"), (std::vector<std::uint64_t>{6}));
  EXPECT_EQ(lines("malformed"), (std::vector<std::uint64_t>{7, 8, 11}));
  EXPECT_EQ(lines("out_of_range"), (std::vector<std::uint64_t>{9, 10}));
  EXPECT_EQ(lines("truncated_last_line"), (std::vector<std::uint64_t>{12}));
  EXPECT_EQ(trace.read, 11u);
}

TEST(Canonical, ARowOfMoreBlocksThanAnyPromptHasIsRefused) {
  const std::string header =
      R"({"loadline_trace":1,"block_size":1,"tail":"partial","sharing":"hashed","time_resolution_ms":1})"
      "\n";
  const auto row = [](std::uint64_t blocks) {
    return R"({"timestamp":0,"output_length":5,"input_length":)" + std::to_string(blocks) + R"(,"hash_runs":[[0,)" +
           std::to_string(blocks) + "]]}\n";
  };
  const Trace trace = read_trace_bytes("file", header + row(most_row_blocks) + row(most_row_blocks + 1) + row(1 << 24));
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].block_count, most_row_blocks);
  EXPECT_EQ(trace.refused.at("too_many_blocks").first_lines, (std::vector<std::uint64_t>{3, 4}));
}

TEST(Canonical, MissingRowsAreCounted) {
  const Trace trace = read_trace_bytes(
      "file", hashed_header + R"({"timestamp":0,"input_length":16,"output_length":5,"hash_runs":[[7,1]]})"
                              "\n");
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.refused.at("row_missing").count, 2u);
  EXPECT_EQ(trace.read, 3u);
}

TEST(Canonical, MoreRowsThanPromisedAreSaid) {
  const auto remarks = [](const std::string& rows) {
    return read_trace_bytes("file", R"({"loadline_trace":1,"rows":)" + rows + "}\n" +
                                        R"({"input_length":16,"output_length":5})"
                                        "\n"
                                        R"({"input_length":16,"output_length":5})"
                                        "\n")
        .remarks;
  };
  EXPECT_EQ(remarks("2"), std::vector<std::string>{});
  ASSERT_EQ(remarks("1").size(), 1u);
  EXPECT_NE(remarks("1")[0].find("promises 1 rows, and the file holds 2"), std::string::npos);
}

TEST(Canonical, ANumberOfRowsThatCannotBeIsAnError) {
  EXPECT_NE(
      canonical_error(R"({"loadline_trace":1,"rows":18446744073709551615})").find("`rows` has a value that cannot"),
      std::string::npos);
}

TEST(Canonical, TimesWithoutAResolutionAreKept) {
  for (const char* entry : {"", R"(,"time_resolution_ms":null)"}) {
    const Trace trace = read_trace_bytes("file", R"({"loadline_trace":1)" + std::string(entry) + "}\n" +
                                                     R"({"timestamp":0,"input_length":16,"output_length":5})"
                                                     "\n"
                                                     R"({"timestamp":250.5,"input_length":16,"output_length":5})"
                                                     "\n"
                                                     R"({"input_length":16,"output_length":5})"
                                                     "\n");
    EXPECT_TRUE(trace.has_times);
    ASSERT_EQ(trace.rows.size(), 2u);
    EXPECT_EQ(trace.rows[1].arrival, 250'500us);
    EXPECT_NEAR(trace.time_resolution_ms, 0.1, 1e-9);
    EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, std::vector<std::uint64_t>{4});
  }
  const Trace timeless = read_trace_bytes("file", std::string(R"({"loadline_trace":1})") + "\n" +
                                                      R"({"input_length":16,"output_length":5})"
                                                      "\n"
                                                      R"({"timestamp":250,"input_length":16,"output_length":5})"
                                                      "\n");
  EXPECT_FALSE(timeless.has_times);
  EXPECT_EQ(timeless.refused.at("bad_timestamp").first_lines, std::vector<std::uint64_t>{3});
}

TEST(Canonical, LocalTimesStayLocal) {
  const std::string text =
      R"({"loadline_trace":1,"source":"x","rows":1,"block_size":null,"tail":null,"ids":null,"sharing":"unknown",)"
      R"("tokens":"counted","time_resolution_ms":1000,"tokenizer":null,"started":"2026-11-02T09:15:00","time_zone":"local"})"
      "\n"
      R"({"timestamp":0,"input_length":3,"output_length":4})"
      "\n";
  const Trace trace = read_trace_bytes("file", text);
  EXPECT_EQ(trace.time_zone, "local");
  EXPECT_EQ(trace.started, Nanos(std::chrono::seconds(1793610900)));
  EXPECT_EQ(canonical_text(trace), text);
}

TEST(Canonical, BadHeadersAreErrors) {
  EXPECT_NE(canonical_error(R"({"loadline_trace":2})")
                .find("`loadline_trace` has a value that cannot be, or that this version does not know"),
            std::string::npos);
  EXPECT_NE(canonical_error(R"({"loadline_trace":1,"ids":"plain"})").find("line 1: the header's `ids`"),
            std::string::npos);
  EXPECT_NE(canonical_error(R"({"loadline_trace":1,"block_size":0})").find("`block_size`"), std::string::npos);
  EXPECT_NE(canonical_error(R"({"loadline_trace":1,"sharing":"hashed"})").find("without a `block_size`"),
            std::string::npos);
  EXPECT_NE(canonical_error(R"({"loadline_trace":1,)").find("the header is not a JSON object"), std::string::npos);
  EXPECT_NE(canonical_error(R"({"loadline_trace":1})").find("has no rows"), std::string::npos);
}

TEST(Canonical, ARealTraceSurvivesTheConversion) {
  const char* const folder = std::getenv("LOADLINE_SHARED");
  if (!folder) GTEST_SKIP() << "LOADLINE_SHARED is not set: mooncake_conversation.jsonl is not at hand";
  const Trace before = read_trace({std::string(folder) + "/traces/mooncake_conversation.jsonl"});
  const Trace after = read_trace_bytes("x", canonical_text(before));
  EXPECT_EQ(after.blocks, before.blocks);
  ASSERT_EQ(after.rows.size(), before.rows.size());
  for (std::size_t i = 0; i < after.rows.size(); ++i) {
    ASSERT_EQ(after.rows[i].arrival, before.rows[i].arrival);
    ASSERT_EQ(after.rows[i].prompt, before.rows[i].prompt);
    ASSERT_EQ(after.rows[i].completion, before.rows[i].completion);
  }
  EXPECT_EQ(after.time_resolution_ms, before.time_resolution_ms);
}

}  // namespace
}  // namespace loadline
