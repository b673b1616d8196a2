#include "trace/export.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "core/error.h"
#include "trace/anonymise.h"
#include "trace/canonical.h"
#include "trace/check_canonical.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view canonical_of_sixteen =
    R"({"loadline_trace":1,"source":"gateway.jsonl","rows":3,"block_size":16,"tail":"dropped","ids":"chained","sharing":"hashed","tokens":"counted","time_resolution_ms":1,"tokenizer":null,"started":"2026-11-02T09:15:00Z"})"
    "\n"
    R"({"timestamp":0,"input_length":1040,"output_length":5,"session":"alice","turn":0,"client":"key-1","hash_runs":[[100,65]]})"
    "\n"
    R"({"timestamp":1.9,"input_length":512,"output_length":6,"cached":512,"hash_runs":[[100,32]]})"
    "\n"
    R"({"timestamp":70,"input_length":1100,"output_length":7,"session":"alice","turn":1,"delay":2300,"hash_runs":[[100,65],[900,3]]})"
    "\n";

template <class Write>
std::string written_by(Write write, const Trace& trace) {
  std::ostringstream out;
  write(trace, out);
  return out.str();
}

std::string export_error(void (*write)(const Trace&, std::ostream&), const Trace& trace) {
  try {
    written_by(write, trace);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

CanonicalCheck checked(std::string_view text) {
  ByteSource source = ByteSource::memory("file", text);
  return check_canonical(source);
}

TEST(Export, MooncakeKeepsWhatIsShared) {
  const Trace trace = read_trace_bytes("x", canonical_of_sixteen);
  const std::string text = written_by(write_mooncake, trace);
  EXPECT_EQ(text,
            "{\"timestamp\": 0, \"input_length\": 1040, \"output_length\": 5, \"hash_ids\": [131, 163, 164]}\n"
            "{\"timestamp\": 1, \"input_length\": 512, \"output_length\": 6, \"hash_ids\": [131]}\n"
            "{\"timestamp\": 70, \"input_length\": 1100, \"output_length\": 7, \"hash_ids\": [131, 163, 902]}\n");
  const Trace again = read_trace_bytes("mooncake", text);
  EXPECT_EQ(again.format, "mooncake");
  EXPECT_EQ(again.rows.size(), 3u);
}

TEST(Export, WhatNoIdCoversIsTheRowsOwn) {
  const Trace trace = read_trace_bytes(
      "x",
      R"({"loadline_trace":1,"source":null,"rows":2,"block_size":512,"tail":"dropped","ids":"chained","sharing":"hashed","tokens":"counted","time_resolution_ms":1,"tokenizer":null})"
      "\n"
      R"({"timestamp":0,"input_length":600,"output_length":5,"hash_runs":[[7,1]]})"
      "\n"
      R"({"timestamp":1,"input_length":600,"output_length":5,"hash_runs":[[7,1]]})"
      "\n");
  EXPECT_EQ(written_by(write_mooncake, trace),
            "{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [7, 8]}\n"
            "{\"timestamp\": 1, \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [7, 9]}\n");
}

TEST(Export, AiperfTurnsWaitForThePauseTheLogKnows) {
  const Trace trace = read_trace_bytes("x", canonical_of_sixteen);
  EXPECT_EQ(
      written_by(write_aiperf, trace),
      "{\"timestamp\": 0, \"input_length\": 1040, \"output_length\": 5, \"session_id\": \"alice\", \"hash_ids\": [131, 163, 164]}\n"
      "{\"timestamp\": 1, \"input_length\": 512, \"output_length\": 6, \"hash_ids\": [131]}\n"
      "{\"delay\": 2300, \"input_length\": 1100, \"output_length\": 7, \"session_id\": \"alice\", \"hash_ids\": [131, 163, 902]}\n");
}

TEST(Export, MooncakeInventsNoArrivals) {
  const Trace trace = read_trace_bytes(
      "x",
      R"({"loadline_trace":1,"rows":2,"block_size":512,"tail":"partial","sharing":"hashed","time_resolution_ms":1})"
      "\n"
      R"({"timestamp":0,"input_length":6,"output_length":5,"session":"a","hash_runs":[[7,1]]})"
      "\n"
      R"({"delay":500,"input_length":6,"output_length":5,"session":"a","hash_runs":[[7,1]]})"
      "\n");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_NE(export_error(write_mooncake, trace).find("only the pause before them is known"), std::string::npos);
  EXPECT_NE(export_error(write_mooncake, trace).find("use --to aiperf"), std::string::npos);
  EXPECT_NE(written_by(write_aiperf, trace).find("{\"delay\": 500"), std::string::npos);
}

TEST(Export, RegroupedBlocksAreSaid) {
  Trace trace = read_trace_bytes("x", canonical_of_sixteen);
  EXPECT_NE(regrouping_remark(trace).find("Blocks of 16 tokens are written as blocks of 512"), std::string::npos);
  trace.block_size = 512;
  EXPECT_EQ(regrouping_remark(trace), "");
  trace.block_size = 0;
  EXPECT_EQ(regrouping_remark(trace), "");
}

TEST(Export, CsvLeavesTheUnknownEmpty) {
  EXPECT_EQ(written_by(write_csv, read_trace_bytes("x", canonical_of_sixteen)),
            "timestamp_ms,input_length,output_length,cached,session,turn,delay_ms,client,max,status\n"
            "0,1040,5,,alice,0,,key-1,,\n1.9,512,6,512,,,,,,\n70,1100,7,,alice,1,2300,,,\n");
}

TEST(Export, WhatAFormatCannotHoldIsAnError) {
  Trace trace = read_trace_bytes("x", canonical_of_sixteen);
  trace.block_size = 24;
  EXPECT_NE(export_error(write_mooncake, trace).find("do not divide the 512"), std::string::npos);
  trace.block_size = 0;
  EXPECT_NE(export_error(write_mooncake, trace).find("no block hashes"), std::string::npos);
  trace.has_times = false;
  EXPECT_NE(export_error(write_mooncake, trace).find("no times"), std::string::npos);
  EXPECT_NE(export_error(write_aiperf, trace).find("request 1 has neither a time nor a pause"), std::string::npos);
}

TEST(Anonymise, PeopleAreGoneAndSharingStays) {
  Trace trace = read_trace_bytes("x", canonical_of_sixteen);
  anonymise(trace);
  const std::string text = written_by(write_canonical, trace);
  for (const std::string_view word : {"alice", "key-1", "gateway", "2026", "[[100,"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
  const Trace again = read_trace_bytes("anonymous", text);
  ASSERT_EQ(again.rows.size(), 3u);
  EXPECT_EQ(again.blocks[0], 0u);
  EXPECT_EQ(again.blocks[again.rows[2].first_block + 64], 64u);
  EXPECT_EQ(again.blocks[again.rows[2].first_block + 65], 65u);
  EXPECT_EQ(again.sessions, std::vector<std::string>{"s0"});
  EXPECT_TRUE(checked(text).proven());
}

TEST(CheckCanonical, ATraceWithoutTextIsProven) {
  const CanonicalCheck check = checked(canonical_of_sixteen);
  EXPECT_TRUE(check.proven());
  EXPECT_EQ(check.lines, 4u);
}

TEST(CheckCanonical, EveryPlaceForTextIsFound) {
  const std::string header(canonical_of_sixteen.substr(0, canonical_of_sixteen.find('\n') + 1));
  const auto finding = [&](std::string_view row) {
    const CanonicalCheck check = checked(header + std::string(row) + "\n");
    return check.foreign.empty() ? "none" : fmt::format("{}: {}", check.foreign[0].key, check.foreign[0].why);
  };
  EXPECT_EQ(finding(R"({"timestamp":0,"input_length":1,"output_length":1,"prompt":"hi"})"),
            "prompt: has no place in a canonical trace");
  EXPECT_EQ(finding(R"({"timestamp":0,"input_length":1,"output_length":1,"tell me a secret":1})"),
            "a key: has no place in a canonical trace");
  EXPECT_EQ(finding(R"({"timestamp":0,"input_length":"one","output_length":1})"), "input_length: is no number");
  EXPECT_EQ(finding(R"({"timestamp":0,"input_length":1,"output_length":1,"session":"dear diary"})"),
            "session: is longer than a name or holds blanks and other marks of text");
  EXPECT_EQ(finding(R"({"timestamp":0,"input_length":1,"output_length":1,"hash_runs":[["hi",1]]})"),
            "hash_runs: are no pairs of numbers");
  EXPECT_EQ(finding("free text"), ": the line is no JSON object");
  EXPECT_EQ(finding(R"({"timestamp":0,"input_length":1,"output_length":1} and more)"), ": the line is no JSON object");
  EXPECT_THROW(checked("free text\n"), Error);
}

TEST(CheckCanonical, KeysAreJudgedBeforeValuesAndNumbersToTheirEnd) {
  const std::string header(canonical_of_sixteen.substr(0, canonical_of_sixteen.find('\n') + 1));
  const auto proven = [&](std::string_view row) { return checked(header + std::string(row) + "\n").proven(); };
  EXPECT_TRUE(proven(R"({"timestamp":-1.5e+3 , "input_length":1,"output_length":null,"session":12})"));
  for (const char* row : {
           R"({"timestamp":0,"input_length":5,"output_length":5,"the patient said hello to me":null})",
           R"({"timestamp":0SECRET,"input_length":5,"output_length":5})",
           R"({"timestamp":0,"input_length":5,"output_length":5-the-secret-word})",
           R"({"timestamp":0,"input_length":5.,"output_length":5})",
           R"({"timestamp":0,"input_length":5e,"output_length":5})",
           R"({"timestamp":0,"input_length":5,"output_length":nullSECRET})",
           R"({"timestamp":0,"input_length":5,"output_length":5,"hash_runs":[[0,1secret]]})",
           R"({"timestamp":0,"input_length":5,"output_length":5,"hash_runs":[[0secret,1]]})",
           R"({"timestamp":0,"input_length":5,"output_length":5,"session":5secret})",
           R"({"timestamp":0,"input_length":5,"output_length":5,"client":""})",
           R"({"timestamp":0,"input_length":5,"output_length":true})",
           R"({"source":"the-header-again","input_length":5})",
       })
    EXPECT_FALSE(proven(row)) << row;
}

TEST(CheckCanonical, TheHeaderIsJudgedAsWell) {
  const auto proven = [&](std::string_view entry) {
    return checked(R"({"loadline_trace":1,)" + std::string(entry) + "}\n").proven();
  };
  for (const char* entry : {R"("source":"a.csv, /logs/b.csv")", R"("started":"2026-11-02T09:15:00.5Z")",
                            R"("started":"2026-11-02T09:15:00","time_zone":"local")", R"("source":null,"rows":3)"})
    EXPECT_TRUE(proven(entry)) << entry;
  for (const char* entry :
       {R"("source":"my secret prompt")", R"("source":"one, two words")", R"("started":"the-secret")",
        R"("tell me all":null)", R"("rows":3secret)", R"("time_zone":"the-secret")", R"("tokenizer":"two words")"})
    EXPECT_FALSE(proven(entry)) << entry;
}

}  // namespace
}  // namespace loadline
