#include "report/escape.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Escape, TerminalDropsWhatCommandsOrHides) {
  EXPECT_EQ(escape_terminal("a\x1b[31mred\x1b[0m"), "a[31mred[0m");
  EXPECT_EQ(escape_terminal("two\nlines\tand\r"), "two lines and ");
  EXPECT_EQ(escape_terminal(std::string_view("nul\0end", 7)), "nulend");
  EXPECT_EQ(escape_terminal("c1\xC2\x9B"
                            "31m"),
            "c131m");
  EXPECT_EQ(escape_terminal("\xE2\x80\xAE"
                            "abc\xE2\x81\xA6"),
            "abc");  // direction override, isolate
  EXPECT_EQ(escape_terminal("Qwen3\xE2\x80\x93"
                            "30B \xC3\xA9 \xF0\x9F\x9A\x80"),
            "Qwen3\xE2\x80\x93"
            "30B \xC3\xA9 \xF0\x9F\x9A\x80");
}

TEST(Escape, NotUtf8BecomesTheReplacementCharacter) {
  EXPECT_EQ(escape_terminal("a\xFF"
                            "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(escape_terminal("cut\xE2\x80"), "cut\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escape_terminal("\xC0\x9B"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong escape
  EXPECT_EQ(escape_terminal("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
}

TEST(Escape, Html) {
  EXPECT_EQ(escape_html("<script>\"a\" & 'b'</script>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;");
}

TEST(Escape, Markdown) {
  EXPECT_EQ(escape_markdown("a|b"), "a\\|b");
  EXPECT_EQ(escape_markdown("[x](http://e.vil)"), "\\[x\\](http&#58;//e.vil)");
  EXPECT_EQ(escape_markdown("<img src=x>"), "&lt;img src=x\\>");
  EXPECT_EQ(escape_markdown("# head"), "\\# head");
  EXPECT_EQ(escape_markdown("- item\n- item"), "\\- item - item");
  EXPECT_EQ(escape_markdown("a_b*c`d\\"), "a\\_b\\*c\\`d\\\\");
  EXPECT_EQ(escape_markdown("@team"), "&#64;team");
  EXPECT_EQ(escape_markdown("gpt-4 (8.5%)"), "gpt-4 (8.5%)");
}

TEST(Escape, Csv) {
  EXPECT_EQ(escape_csv("plain"), "plain");
  EXPECT_EQ(escape_csv("a,b"), "\"a,b\"");
  EXPECT_EQ(escape_csv("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(escape_csv("=cmd()"), "'=cmd()");
  EXPECT_EQ(escape_csv(" @SUM(A1)"), "' @SUM(A1)");
  EXPECT_EQ(escape_csv("\t+1"), "' +1");
  EXPECT_EQ(escape_csv("-1+2"), "'-1+2");
  EXPECT_EQ(escape_csv("two\nlines"), "two lines");
}

}  // namespace
}  // namespace loadline
