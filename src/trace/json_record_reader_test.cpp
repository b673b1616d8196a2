#include "trace/json_record_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

struct FoundRecord {
  std::string text;
  std::uint64_t line;
  bool ended;
  bool operator==(const FoundRecord&) const = default;
};

std::vector<FoundRecord> records_of(std::string_view text, std::size_t step, std::uint64_t* blank = nullptr) {
  ByteSource source = ByteSource::memory("log", text, step);
  TextWindow window(source, 16);
  JsonRecordReader reader(window);
  std::vector<FoundRecord> found;
  for (Line record; reader.next(record);) found.push_back({std::string(record.text), record.number, record.ended});
  if (blank != nullptr) *blank = reader.take_blank_lines();
  return found;
}

void expect_in_all_pieces(std::string_view text, const std::vector<FoundRecord>& expected) {
  for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{50}, std::string::npos}) {
    EXPECT_EQ(records_of(text, step), expected) << text << " in pieces of " << step;
  }
}

TEST(JsonRecordReader, OneALine) {
  expect_in_all_pieces("{\"a\":1}\r\n\n{\"b\":\"}{\"}\n{\"c\":[1,{}]}",
                       {{"{\"a\":1}\r", 1, true}, {"{\"b\":\"}{\"}", 3, true}, {"{\"c\":[1,{}]}", 4, false}});
  std::uint64_t blank = 0;
  records_of("{}\n\n  \n{}\n", 2, &blank);
  EXPECT_EQ(blank, 2u);
}

TEST(JsonRecordReader, ElementsOfAnArrayHoweverLaidOut) {
  expect_in_all_pieces("[{\"a\":1},{\"b\":\"x\\\"]}\"}]\n", {{"{\"a\":1}", 1, true}, {"{\"b\":\"x\\\"]}\"}", 1, true}});
  expect_in_all_pieces("[\n {\n  \"a\": {\"x\": [1]}\n },\n {\n  \"b\": 2\n }\n]\n",
                       {{"{\n  \"a\": {\"x\": [1]}\n }", 2, true}, {"{\n  \"b\": 2\n }", 5, true}});
}

TEST(JsonRecordReader, ObjectsOnePrettyPrintedAfterAnother) {
  expect_in_all_pieces("{\n \"a\": \"\\\\\"\n}\n{\n \"b\": 1\n}",
                       {{"{\n \"a\": \"\\\\\"\n}", 1, true}, {"{\n \"b\": 1\n}", 4, true}});
}

TEST(JsonRecordReader, WhatIsNoObjectIsGivenByTheLine) {
  expect_in_all_pieces("{\"a\":1}\nnonsense {\n{\"b\":1}\n",
                       {{"{\"a\":1}", 1, true}, {"nonsense {", 2, true}, {"{\"b\":1}", 3, true}});
}

TEST(JsonRecordReader, AnObjectThatNeverEndsIsSaid) {
  expect_in_all_pieces("[{\"a\":1},\n{\"b\": [", {{"{\"a\":1}", 1, true}, {"{\"b\": [", 2, false}});
  expect_in_all_pieces("", {});
  expect_in_all_pieces("[]", {});
}

}  // namespace
}  // namespace loadline
