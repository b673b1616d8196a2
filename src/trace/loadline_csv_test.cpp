#include "trace/loadline_csv.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/error.h"
#include "trace/export.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using CsvLines = std::vector<std::uint64_t>;

const std::string csv_header =
    "timestamp_ms,input_length,output_length,cached,session,turn,delay_ms,client,max,status\n";

TEST(LoadlineCsv, WhatIsWrittenIsReadBack) {
  const std::string text = csv_header +
                           "0,1040,5,,\"a, \"\"b\"\"\",0,,key-1,64,200\n"
                           "1.912345,512,,512,,,,,,\n"
                           ",1100,7,,\"a, \"\"b\"\"\",1,2300,,,429\n";
  const Trace trace = read_trace_bytes("log.csv", text);
  EXPECT_EQ(trace.format, "loadline-csv");
  EXPECT_TRUE(trace.has_times);
  EXPECT_NEAR(trace.time_resolution_ms, 1e-6, 1e-12);  // six digits behind the milliseconds
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[1].arrival, 1'912'345ns);
  EXPECT_EQ(trace.rows[1].cached, std::optional(Tokens(512)));
  EXPECT_EQ(trace.rows[1].completion.value(), 0);  // unknown
  EXPECT_FALSE(trace.rows[2].arrival_known);
  EXPECT_EQ(trace.rows[2].turn, 1u);
  EXPECT_EQ(trace.details[2].delay, std::optional<Nanos>(2300ms));
  EXPECT_EQ(trace.details[0].status, std::optional<std::uint16_t>(200));
  EXPECT_EQ(trace.sessions, std::vector<std::string>{"a, \"b\""});
  std::ostringstream again;
  write_csv(trace, again);
  EXPECT_EQ(again.str(), text);
}

TEST(LoadlineCsv, TheFirstRequestTellsWhetherThereAreTimes) {
  const Trace trace = read_trace_bytes("log.csv", csv_header + ",10,5,,,,,,,\n,11,5,,,,,,,\n3,12,5,,,,,,,\n");
  EXPECT_FALSE(trace.has_times);
  EXPECT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, CsvLines{4});
}

TEST(LoadlineCsv, EveryRowIsInTheBooks) {
  const Trace trace = read_trace_bytes("log.csv", csv_header +
                                                      "0,10,5,,,,,,,\n"    // 2
                                                      ",10,5,,,,,,,\n"     // 3 no time
                                                      "-1,10,5,,,,,,,\n"   // 4
                                                      "1,ten,5,,,,,,,\n"   // 5
                                                      "1,10,5,11,,,,,,\n"  // 6 more cached than sent
                                                      "1,10,5,,,,,,,1000\n"
                                                      "1,10,5,,,,-2,,,\n"
                                                      "1,,5,,,,,,,\n"          // 9
                                                      "1,10,5,,\xff,,,,,\n"    // 10
                                                      "1,10,5\n"               // 11
                                                      "1,10,0,,,,,,,\n"        // 12
                                                      "1,10,5,,,-1,,,,\n"      // 13
                                                      "1,10.0,5.0,,,,,,,\n");  // 14 as data frames write it
  EXPECT_EQ(trace.rows.size(), 2u);
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("bad_timestamp"), (CsvLines{3, 4}));
  EXPECT_EQ(lines("malformed"), (CsvLines{5, 11}));
  EXPECT_EQ(lines("out_of_range"), (CsvLines{6, 7, 8, 13}));
  EXPECT_EQ(lines("no_prompt_length"), CsvLines{9});
  EXPECT_EQ(lines("not_utf8"), CsvLines{10});
  EXPECT_EQ(lines("completion_zero"), CsvLines{12});
}

}  // namespace
}  // namespace loadline
