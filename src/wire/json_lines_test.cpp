#include "wire/json_lines.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

using Lines = std::vector<std::string>;

Lines read_lines_in_pieces(std::string_view input, std::size_t piece) {
  JsonLines parser;
  Lines lines;
  for (std::size_t at = 0; at < input.size(); at += piece) {
    std::string_view bytes = input.substr(at, piece);
    while (const std::optional<std::string_view> line = parser.next(bytes)) lines.emplace_back(*line);
  }
  if (const std::optional<std::string_view> line = parser.finish()) lines.emplace_back(*line);
  return lines;
}

TEST(JsonLines, EveryFragmentationGivesTheSameLines) {
  const std::string input = "{\"a\":1}\n\r\n  \n{\"b\":\"caf\xC3\xA9\"}\r\n\n{\"c\":3}";
  const Lines want = {"{\"a\":1}", "{\"b\":\"caf\xC3\xA9\"}", "{\"c\":3}"};
  for (std::size_t piece = 1; piece <= input.size(); ++piece) {
    EXPECT_EQ(read_lines_in_pieces(input, piece), want) << piece;
  }
  EXPECT_EQ(read_lines_in_pieces("", 1), Lines{});
  EXPECT_EQ(read_lines_in_pieces("\n", 1), Lines{});
}

TEST(JsonLines, KnowsWhetherALineIsUnderWay) {
  JsonLines parser;
  std::string_view bytes = "{}\n{";
  EXPECT_EQ(parser.next(bytes), "{}");
  EXPECT_FALSE(parser.mid_line());
  EXPECT_FALSE(parser.next(bytes));
  EXPECT_TRUE(parser.mid_line());
  parser.reset();
  EXPECT_FALSE(parser.mid_line());
  EXPECT_FALSE(parser.finish());
}

TEST(JsonLines, TakesLinesUpToTheLimit) {
  const std::string longest(JsonLines::line_limit, 'x');
  EXPECT_EQ(read_lines_in_pieces(longest + "\n{}\n", 65'537), (Lines{longest, "{}"}));
  JsonLines parser;
  std::string_view bytes = longest;
  EXPECT_FALSE(parser.next(bytes));
  EXPECT_FALSE(parser.failed());
  bytes = "y\n{}\n";
  EXPECT_FALSE(parser.next(bytes));
  EXPECT_TRUE(parser.failed());
  EXPECT_NE(parser.problem().find("16 MiB"), std::string_view::npos);
  EXPECT_FALSE(parser.finish());
}

}  // namespace
}  // namespace loadline
