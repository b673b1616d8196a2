#include "wire/http_words.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(HttpWords, Numbers) {
  EXPECT_EQ(whole_number("0", 10), 0u);
  EXPECT_EQ(whole_number("18446744073709551615", 10), ~std::uint64_t{0});
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "1a", "0x10", "18446744073709551616"}) {
    EXPECT_FALSE(whole_number(text, 10)) << text;
  }
  EXPECT_EQ(chunk_size_of("1aF;name=value"), 0x1afu);
  EXPECT_EQ(chunk_size_of(" 10 "), 16u);
  for (const char* line : {"", ";", "g", "0x10", "-1", "10000000000000000"}) EXPECT_FALSE(chunk_size_of(line)) << line;
}

TEST(HttpWords, NamesAndLists) {
  EXPECT_TRUE(is_http_token("X-Request-Id"));
  for (const char* text : {"", " Host", "Host ", "Ho st", "Host:", "H\xc3\xb6st"})
    EXPECT_FALSE(is_http_token(text)) << text;
  EXPECT_TRUE(same_word("Chunked", "cHUNKED"));
  EXPECT_FALSE(same_word("close", "closed"));
  EXPECT_EQ(ascii_lower("Text/HTML \xc3\x84"), "text/html \xc3\x84");
  std::string_view list = " close ,\tKeep-Alive,,x";
  EXPECT_EQ(take_element(list), "close");
  EXPECT_EQ(take_element(list), "Keep-Alive");
  EXPECT_EQ(take_element(list), "");
  EXPECT_EQ(take_element(list), "x");
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace loadline
