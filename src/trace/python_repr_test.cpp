#include "trace/python_repr.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace loadline {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// All pairs, and one more named "unsound" where what follows is none.
Pairs pairs_of(std::string_view inside) {
  Pairs all;
  PythonPairs pairs(inside);
  while (pairs.next()) all.emplace_back(pairs.name(), pairs.value());
  if (!pairs.sound()) all.emplace_back("unsound", "");
  return all;
}

std::string text_of(std::string_view literal) {
  std::string text;
  return append_python_text(literal, text) ? text : "none";
}

TEST(PythonRepr, PairsOfCallsAndDicts) {
  EXPECT_EQ(pairs_of("a=1, b='x, y)', c=[1, (2, 3)], d={'k': \"it's\"}, e=None"),
            (Pairs{{"a", "1"}, {"b", "'x, y)'"}, {"c", "[1, (2, 3)]"}, {"d", "{'k': \"it's\"}"}, {"e", "None"}}));
  EXPECT_EQ(pairs_of("'a': 1.5, 'b c': 'd'"), (Pairs{{"a", "1.5"}, {"b c", "'d'"}}));
  EXPECT_EQ(pairs_of("text='ab' ... 'cd', n=1"), (Pairs{{"text", "'ab' ... 'cd'"}, {"n", "1"}}));
  EXPECT_EQ(pairs_of(R"(a='\\', b='\'')"), (Pairs{{"a", R"('\\')"}, {"b", R"('\'')"}}));
  EXPECT_EQ(pairs_of(" "), Pairs{});
}

TEST(PythonRepr, WhatIsCutIsUnsound) {
  EXPECT_EQ(pairs_of("a=1, b='x"), (Pairs{{"a", "1"}, {"unsound", ""}}));
  EXPECT_EQ(pairs_of("a=[1, 2"), (Pairs{{"unsound", ""}}));
  EXPECT_EQ(pairs_of("a=1), b=2"), (Pairs{{"unsound", ""}}));
  EXPECT_EQ(pairs_of("a=1, b"), (Pairs{{"a", "1"}, {"unsound", ""}}));
  EXPECT_EQ(pairs_of("a=1, 'b'"), (Pairs{{"a", "1"}, {"unsound", ""}}));
  EXPECT_EQ(pairs_of("a='x\\"), (Pairs{{"unsound", ""}}));
}

TEST(PythonRepr, Insides) {
  EXPECT_EQ(python_inside("Name(a=1)"), "a=1");
  EXPECT_EQ(python_inside("{'a': (1)}"), "'a': (1)");
  EXPECT_EQ(python_inside("[1, 2]"), "1, 2");
  EXPECT_EQ(python_inside("None"), "");
  EXPECT_EQ(python_inside("[1, 2"), "");
  EXPECT_EQ(python_inside("["), "");
}

TEST(PythonRepr, Texts) {
  EXPECT_EQ(text_of(R"('it\'s\n\t\\ "so"')"), "it's\n\t\\ \"so\"");
  EXPECT_EQ(text_of(R"("\x41\u00e9\u20ac\U0001f600")"), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(text_of(R"('\udc80')"), "?");
  EXPECT_EQ(text_of("''"), "");
  for (const char* const literal : {"'a' ... 'b'", "None", "'a", "a'", R"('\x4')", R"('\')", ""})
    EXPECT_EQ(text_of(literal), "none") << literal;
}

}  // namespace
}  // namespace loadline
