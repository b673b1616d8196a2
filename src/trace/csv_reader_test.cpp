#include "trace/csv_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "trace/line_reader.h"

namespace loadline {
namespace {

struct CsvRecord {
  std::vector<std::string> fields;
  std::uint64_t line = 0;
  bool ended = true, well_formed = true;
  bool operator==(const CsvRecord&) const = default;
};

std::vector<CsvRecord> read_csv(std::string_view text, std::size_t step = std::string_view::npos) {
  ByteSource source = ByteSource::memory("memory", text, step);
  TextWindow window(source, 8);
  CsvReader csv(window);
  std::vector<CsvRecord> records;
  while (csv.next()) {
    records.push_back({{csv.fields().begin(), csv.fields().end()}, csv.line(), csv.ended(), csv.well_formed()});
  }
  return records;
}

TEST(CsvReader, PlainRecords) {
  const auto records = read_csv("a,b\n1,2\r\n,\n3,4");
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0], (CsvRecord{{"a", "b"}, 1}));
  EXPECT_EQ(records[1], (CsvRecord{{"1", "2"}, 2}));
  EXPECT_EQ(records[2], (CsvRecord{{"", ""}, 3}));
  EXPECT_EQ(records[3], (CsvRecord{{"3", "4"}, 4, false}));
  EXPECT_TRUE(read_csv("").empty());
  EXPECT_EQ(read_csv("\n").size(), 1u);
}

TEST(CsvReader, QuotedFieldsHoldCommasQuotesAndNewlines) {
  const auto records = read_csv("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"\"\r\nnext,\"end\"");
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0], (CsvRecord{{"a,b", "say \"hi\"", "two\nlines", ""}, 1}));
  EXPECT_EQ(records[1], (CsvRecord{{"next", "end"}, 3, false}));
}

TEST(CsvReader, AStrayQuoteCostsOneLine) {
  const auto records = read_csv("a,b\n\"never closed,1\nc,d\n\"x\"y,1\nlast,2\n");
  // The quote of line 4 closes that of line 2, and text follows it.
  ASSERT_EQ(records.size(), 5u);
  EXPECT_FALSE(records[1].well_formed);
  EXPECT_EQ(records[2], (CsvRecord{{"c", "d"}, 3}));
  EXPECT_FALSE(records[3].well_formed);
  EXPECT_EQ(records[4], (CsvRecord{{"last", "2"}, 5}));
  EXPECT_FALSE(read_csv("a,b\n\"never,1\nc,d\n")[1].well_formed);
  EXPECT_EQ(read_csv("a,b\n\"never,1\nc,d\n")[2], (CsvRecord{{"c", "d"}, 3}));
}

TEST(CsvReader, TheSameForEveryFragmentation) {
  const std::string text = "\xEF\xBB\xBFh1,\"h\"\"2\"\r\n\n1,\"a\r\nb\"\r\n\"x,\"\"\",2\n  \n9,\"q\"";
  const auto whole = read_csv(text);
  ASSERT_EQ(whole.size(), 6u);
  EXPECT_EQ(whole[0].fields, (std::vector<std::string>{"h1", "h\"2"}));
  EXPECT_EQ(whole[2], (CsvRecord{{"1", "a\r\nb"}, 3}));
  EXPECT_EQ(whole[3], (CsvRecord{{"x,\"", "2"}, 5}));
  for (std::size_t step = 1; step <= text.size(); ++step) EXPECT_EQ(read_csv(text, step), whole) << step;
}

TEST(LineReader, LinesForEveryFragmentation) {
  const std::string text =
      "\xEF\xBB\xBF"
      "first\r\n\nthird line, a long one\nlast";
  for (std::size_t step = 1; step <= text.size(); ++step) {
    ByteSource source = ByteSource::memory("memory", text, step);
    TextWindow window(source, 4);
    LineReader lines(window);
    std::vector<std::string> found;
    Line line;
    while (lines.next(line)) {
      found.emplace_back(line.text);
      EXPECT_EQ(line.number, found.size());
      EXPECT_EQ(line.ended, found.size() < 4);
    }
    EXPECT_EQ(found, (std::vector<std::string>{"first", "", "third line, a long one", "last"})) << step;
  }
}

}  // namespace
}  // namespace loadline
