#include "target/one_token_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "target/words.h"

namespace loadline {
namespace {

/// A vocabulary in which the words of `split` are two tokens; 9 tokens stand around every text.
struct SmallVocabulary {
  std::set<std::string> split;
  int counts = 0;

  std::int64_t count(const std::string& text) {
    ++counts;
    std::istringstream words(text);
    std::int64_t tokens = 9;
    for (std::string word; words >> word;) tokens += split.contains(word) ? 2 : 1;
    return tokens;
  }
  OneTokenWords search(const WordSearchLimits& limits) {
    counts = 0;
    return find_one_token_words([this](const std::string& text) { return count(text); }, limits);
  }
};

std::set<std::string> words_that(bool (*holds)(std::string_view)) {
  std::set<std::string> out;
  for (const std::string_view word : common_words()) {
    if (holds(word)) out.emplace(word);
  }
  return out;
}

/// Exactly the words outside `split`.
std::vector<std::uint32_t> whole_words(const std::set<std::string>& split) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < common_words().size(); ++i) {
    if (!split.contains(std::string(common_words()[i]))) out.push_back(i);
  }
  return out;
}

TEST(OneTokenWords, AllOfThemInOneGoWhereTheVocabularyHoldsThem) {
  SmallVocabulary vocabulary;
  const OneTokenWords found = vocabulary.search({64, 22});
  EXPECT_EQ(found.opening, 10);
  EXPECT_EQ(found.words.size(), 64u);
  EXPECT_EQ(vocabulary.counts, 2) << "the opening word by itself, and one group";
  EXPECT_EQ(vocabulary.search({common_words().size(), 22}).words, whole_words({}));
  EXPECT_EQ(vocabulary.counts, 1 + 5) << "311 words in groups of 64";
}

TEST(OneTokenWords, GroupsAreCutToTheLastWord) {
  SmallVocabulary vocabulary;
  vocabulary.split = {"time", "cup", "glass", "opportunity", "stage", "market", "law"};
  EXPECT_EQ(vocabulary.search({common_words().size(), 1000}).words, whole_words(vocabulary.split));
  EXPECT_LT(vocabulary.counts, 6 + 7 * 6) << "a word is found by halving 64, each count deciding two halves";
  vocabulary.split = words_that([](std::string_view word) { return word.find('a') != word.npos; });
  EXPECT_EQ(vocabulary.search({common_words().size(), 1000}).words, whole_words(vocabulary.split));
}

TEST(OneTokenWords, WhatIsProvenIsTrueWhateverTheLimit) {
  SmallVocabulary vocabulary;
  vocabulary.split = words_that([](std::string_view word) { return word.size() % 3 == 0; });
  const std::vector<std::uint32_t> whole = whole_words(vocabulary.split);
  for (int most = 1; most < 60; ++most) {
    const std::vector<std::uint32_t> words = vocabulary.search({common_words().size(), most}).words;
    EXPECT_LE(vocabulary.counts, most);
    EXPECT_TRUE(std::ranges::includes(whole, words)) << most;
  }
}

TEST(OneTokenWords, WordsOfManyTokensAreGivenUp) {
  SmallVocabulary vocabulary;
  vocabulary.split = words_that([](std::string_view) { return true; });
  EXPECT_TRUE(vocabulary.search({64, 1000}).words.empty());
  EXPECT_EQ(vocabulary.counts, 6) << "no group is cut where halves cannot be better";
}

TEST(OneTokenWords, ACounterThatStopsEndsTheSearch) {
  int left = 3;
  const TokenCounter tiring = [&](const std::string& text) -> std::optional<std::int64_t> {
    if (left-- == 0) return std::nullopt;
    return std::ranges::count(text, ' ') + 5;
  };
  const OneTokenWords found = find_one_token_words(tiring, {common_words().size(), 100});
  EXPECT_EQ(found.opening, 5);
  EXPECT_EQ(found.words.size(), 2u * 64);
  EXPECT_EQ(left, -1) << "asked once more, and never again";
  const OneTokenWords nothing = find_one_token_words([](const std::string&) { return std::nullopt; }, {64, 100});
  EXPECT_EQ(nothing.opening, std::nullopt);
  EXPECT_TRUE(nothing.words.empty());
}

}  // namespace
}  // namespace loadline
