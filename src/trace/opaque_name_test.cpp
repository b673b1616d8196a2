#include "trace/opaque_name.h"

#include <gtest/gtest.h>

#include <sstream>

#include "trace/canonical.h"
#include "trace/check_canonical.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

TEST(OpaqueName, BlanksAndMarksOfTextMakeNone) {
  for (const char* name : {"s-1", "/logs/a.b_c:d@e+f=g#h", "9"}) EXPECT_TRUE(is_opaque_name(name)) << name;
  for (const char* text : {"", "John Smith", "{}", "a,b", "ä", "a\"b", "a\n"})
    EXPECT_FALSE(is_opaque_name(text)) << text;
  EXPECT_TRUE(is_opaque_name(std::string(128, 'a')));
  EXPECT_FALSE(is_opaque_name(std::string(129, 'a')));
  EXPECT_TRUE(is_list_of_opaque_names("a.csv, b.csv"));
  for (const char* text : {"my secret prompt", "a.csv,b.csv", "a.csv, ", ", a.csv", "a.csv,  b.csv"})
    EXPECT_FALSE(is_list_of_opaque_names(text)) << text;
}

TEST(OpaqueName, OthersBecomeNumbersThatNobodyHas) {
  Trace trace;
  trace.source = "my (1) log.csv";
  trace.tokenizer = "the best one";
  trace.sessions = {"s2", "John Smith", "{}", "s-1", "s4"};
  trace.clients = {"key-1"};
  make_names_opaque(trace);
  EXPECT_EQ(trace.sessions, (std::vector<std::string>{"s2", "s1", "s3", "s-1", "s4"}));
  EXPECT_EQ(trace.clients, std::vector<std::string>{"key-1"});
  EXPECT_EQ(trace.source, "log");
  EXPECT_EQ(trace.tokenizer, "");
  EXPECT_EQ(trace.remarks.size(), 3u);
  EXPECT_NE(trace.remarks[0].find("2 names of sessions became numbers"), std::string::npos);
}

/// What convert does to any log: its own check must find no text in it.
TEST(OpaqueName, ATraceOfOddNamesIsProven) {
  Trace trace = read_trace_bytes(
      "my (1) \xC3\xA4.jsonl",
      R"({"timestamp": 0, "input_length": 5, "output_length": 1, "session_id": "John Smith"})"
      "\n"
      R"({"timestamp": 1, "input_length": 5, "output_length": 1, "session_id": {"first": "John", "last": "Smith"}})"
      "\n"
      R"({"timestamp": 2, "input_length": 5, "output_length": 1, "session_id": "{}"})"
      "\n");
  EXPECT_EQ(trace.rows.at(1).session, no_session);  // an object is no name
  make_names_opaque(trace);
  std::ostringstream out;
  write_canonical(trace, out);
  const std::string text = out.str();
  ByteSource written = ByteSource::memory("file", text);
  EXPECT_TRUE(check_canonical(written).proven()) << text;
  EXPECT_EQ(text.find("Smith"), std::string::npos);
  EXPECT_EQ(read_trace_bytes("x", text).sessions, (std::vector<std::string>{"s0", "s1"}));
}

}  // namespace
}  // namespace loadline
