#include "tokens/bpe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"
#include "tokens/unsupported.h"

namespace loadline {
namespace {

std::vector<TokenId> ids_by(Bpe& bpe, std::string_view word) {
  std::vector<TokenId> ids;
  bpe.append_ids(word, ids);
  return ids;
}

TokenIds numbered(const std::vector<std::string>& tokens) {
  TokenIds ids;
  for (const std::string& token : tokens) ids.emplace(token, static_cast<TokenId>(ids.size()));
  return ids;
}

/// The definition: again and again the merge of the lowest rank, at its leftmost place.
std::vector<std::string> slowly_merged(std::string_view word,
                                       const std::vector<std::pair<std::string, std::string>>& merges) {
  std::vector<std::string> parts;
  for (const char c : word) parts.emplace_back(1, c);
  while (true) {
    std::size_t best_rank = merges.size(), best_at = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto rank =
          static_cast<std::size_t>(std::ranges::find(merges, std::pair(parts[i], parts[i + 1])) - merges.begin());
      if (rank < best_rank) best_rank = rank, best_at = i;
    }
    if (best_rank == merges.size()) return parts;
    parts[best_at] += parts[best_at + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
  }
}

TEST(Bpe, TheLowestRankComesFirstAndOfEqualsTheLeftmost) {
  Bpe bpe({.ids = numbered({"a", "b", "c", "bc", "ab", "aa"}), .merges = {{"b", "c"}, {"a", "b"}, {"a", "a"}}});
  EXPECT_EQ(ids_by(bpe, "abc"), (std::vector<TokenId>{0, 3}));
  EXPECT_EQ(ids_by(bpe, "aaa"), (std::vector<TokenId>{5, 0}));
  EXPECT_EQ(ids_by(bpe, ""), std::vector<TokenId>());
}

TEST(Bpe, EqualsItsDefinitionOnRandomWordsAndRules) {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::string> tokens = {"a", "b", "c"};
    BpeRules rules;
    for (int i = 0; i < 12; ++i) {
      const std::pair<std::string, std::string> merge{tokens[random.below(tokens.size())],
                                                      tokens[random.below(tokens.size())]};
      if (std::ranges::find(tokens, merge.first + merge.second) != tokens.end()) continue;
      rules.merges.push_back(merge);
      tokens.push_back(merge.first + merge.second);
    }
    rules.ids = numbered(tokens);
    Bpe bpe(rules);
    for (int word = 0; word < 25; ++word) {
      std::string text;
      for (std::uint64_t left = random.below(40); left > 0; --left) text += tokens[random.below(3)];
      std::vector<TokenId> expected;
      for (const std::string& part : slowly_merged(text, rules.merges)) expected.push_back(rules.ids.at(part));
      EXPECT_EQ(ids_by(bpe, text), expected) << text;
    }
  }
}

TEST(Bpe, WhatHasNoIdIsItsBytesThenTheUnknownTokenThenNothing) {
  BpeRules rules{.ids = numbered({"a", "?"}), .unknown = "?"};
  Bpe each(rules);
  EXPECT_EQ(ids_by(each, "xyaz"), (std::vector<TokenId>{1, 1, 0, 1}));
  rules.fuse_unknown = true;
  Bpe fused(rules);
  EXPECT_EQ(ids_by(fused, "xyaz"), (std::vector<TokenId>{1, 0, 1}));
  Bpe silent({.ids = numbered({"a"})});
  EXPECT_EQ(ids_by(silent, "xyaz"), (std::vector<TokenId>{0}));
  rules.ids = numbered({"a", "?", "<0xC3>", "<0xA9>"});
  rules.byte_fallback = true;
  Bpe bytes(rules);
  EXPECT_EQ(ids_by(bytes, "a\xC3\xA9x"), (std::vector<TokenId>{0, 2, 3, 1})) << "x has no byte token";
}

TEST(Bpe, AWordThatIsATokenMayIgnoreMerges) {
  BpeRules rules{.ids = numbered({"a", "b", "ab"})};
  Bpe by_merges(rules);
  EXPECT_EQ(ids_by(by_merges, "ab"), (std::vector<TokenId>{0, 1}));
  rules.ignore_merges = true;
  Bpe whole(rules);
  EXPECT_EQ(ids_by(whole, "ab"), (std::vector<TokenId>{2}));
}

TEST(Bpe, AMergeWithoutItsTokensIsRefused) {
  EXPECT_THROW(Bpe({.ids = numbered({"a", "b"}), .merges = {{"a", "b"}}}), Unsupported);
  EXPECT_THROW(Bpe({.ids = numbered({"a"}), .unknown = "?"}), Unsupported);
}

}  // namespace
}  // namespace loadline
