#include "tokens/regex.h"

#include <gtest/gtest.h>

#include "tokens/regex_dialect.h"
#include "tokens/unsupported.h"

namespace loadline {
namespace {

/// All matches, joined by "|".
std::string matches(const std::string& pattern, std::string_view text) {
  const Regex regex(pattern);
  std::string all;
  for (std::size_t from = 0; from < text.size();) {
    const auto match = regex.find(text, from);
    if (!match || match->size == 0) break;
    all += (all.empty() ? "" : "|") + std::string(text.substr(match->first, match->size));
    from = match->first + match->size;
  }
  return all;
}

TEST(Regex, PatternsMeanWhatTheyMeanInTheirOwnDialect) {
  struct Row {
    const char *pattern, *text, *expected;
  };
  for (const Row& row : {
           Row{R"(\p{N}{1,3})", "1234567", "123|456|7"},
           Row{R"(\p{N}{1,3}+x?)", "1234567x", "1234567x"},  // repeated, not possessive
           Row{R"([^\r\n]?+\p{L}++)", "ab cd", "ab| cd"},
           Row{R"((?i:'s|'t))", "'S't'x", "'S|'t"},
           Row{R"(\s+(?!\S)|\s+)", "a   b \n", "  | | \n"},
           Row{R"(\s)", "\u00a0\u180e\u3000", "\u00a0|\u3000"},  // U+180E is no white space
           Row{R"([^\s]+)", "a\u180eb c", "a\u180eb|c"},
           Row{R"(\w+)", "e\u0301 \u00b2_x-", "e\u0301|\u00b2_x"},     // marks belong to words
           Row{R"(\h+)", "x1fg", "1f"},                                // hexadecimal digits
           Row{R"(\p{Han}+)", "\u6f22\u3001\u5b57", "\u6f22|\u5b57"},  // not the comma that Han text shares
           Row{R"(^b|a$)", "a\nb", "a|b"},                             // of lines
           Row{R"([]a]+)", "x]a", "]a"},
           Row{R"(\u0061)", "xa", "a"},
           Row{"[\u4e00-\u9fa5]+", "a\u4e2d\u6587b", "\u4e2d\u6587"},
       }) {
    EXPECT_EQ(matches(row.pattern, row.text), row.expected) << row.pattern;
  }
}

TEST(Regex, WhatHasNoTranslationIsRefusedByName) {
  struct Row {
    const char *pattern, *named;
  };
  for (const Row& row : {Row{R"([\p{L}&&[^\p{Han}]]+)", "intersection"}, Row{"[a[bc]]", "class within a class"},
                         Row{R"(\X)", R"(\X)"}, Row{R"(\bx)", R"(\b)"}, Row{"(?m:.)", "(?m:"}, Row{"a{2,3}+", "{2,3}+"},
                         Row{"[ab", "without an end"}, Row{"(a", "not readable"}, Row{R"([\W])", "opposite"}}) {
    try {
      const Regex regex(row.pattern);
      ADD_FAILURE() << row.pattern << " became " << pcre2_pattern(row.pattern);
    } catch (const Unsupported& reason) {
      EXPECT_NE(std::string(reason.what()).find(row.named), std::string::npos) << reason.what();
    }
  }
}

TEST(Regex, LiteralsAreFoundAsTheyStand) {
  const Regex dot = Regex::literal(".*");
  EXPECT_EQ(dot.find("ab.*c", 0), (TextRange{2, 2}));
  EXPECT_EQ(dot.find("abc", 0), std::nullopt);
  EXPECT_EQ(Regex::literal("").find("abc", 0), std::nullopt);
}

TEST(Regex, LongRunsOfWhiteSpaceNeedNoMoreThanTheyAre) {
  const std::string spaces(200'000, ' ');
  EXPECT_EQ(Regex(R"(\s+(?!\S)|\s+)").find(spaces + "x", 0), (TextRange{0, spaces.size() - 1}));
}

}  // namespace
}  // namespace loadline
