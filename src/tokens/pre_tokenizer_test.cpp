#include "tokens/pre_tokenizer.h"

#include <gtest/gtest.h>

#include "tokens/added_tokens.h"
#include "tokens/normalizer.h"
#include "tokens/utf8.h"

namespace loadline {
namespace {

std::string joined(const Pieces& pieces) {
  std::string all;
  for (const TextRange& piece : pieces.ranges) {
    all += (all.empty() ? "" : "|") + pieces.text.substr(piece.first, piece.size);
  }
  return all;
}

std::string cut_by(PreTokenizerStep step, const std::string& text, bool begins_answer = true) {
  PreTokenizer pre_tokenizer;
  pre_tokenizer.add(std::move(step));
  return joined(pre_tokenizer.cut(text, begins_answer));
}

TEST(PreTokenizer, ASeparatorGoesWhereTheFileSays) {
  struct Row {
    Separator separator;
    bool invert;
    const char* expected;
  };
  for (const Row& row : {
           Row{Separator::isolated, false, "a|-|-|b|-"},
           Row{Separator::removed, false, "a|b"},
           Row{Separator::contiguous, false, "a|--|b|-"},
           Row{Separator::merged_with_previous, false, "a-|-|b-"},
           Row{Separator::merged_with_next, false, "a|-|-b|-"},
           Row{Separator::removed, true, "-|-|-"},
       }) {
    EXPECT_EQ(cut_by(SplitStep{Regex("-"), row.separator, row.invert}, "a--b-"), row.expected);
  }
}

TEST(PreTokenizer, BytesBecomeCharactersThatCanBeSeen) {
  EXPECT_EQ(cut_by(ByteLevelStep{false, gpt2_words()}, "it's \u00e9\n\n x"),
            "it|'s|\u0120\u00c3\u00a9|\u010a\u010a|\u0120x");
  EXPECT_EQ(cut_by(ByteLevelStep{true, std::nullopt}, "a b"), "\u0120a\u0120b");
  EXPECT_EQ(cut_by(ByteLevelStep{}, ""), "");
}

TEST(PreTokenizer, SpacesBecomeMarks) {
  using Prepend = MetaspaceStep::Prepend;
  const auto metaspace = [](Prepend prepend) { return MetaspaceStep{"_", prepend, marked_words("_")}; };
  EXPECT_EQ(cut_by(metaspace(Prepend::always), "a  b"), "_a|_|_b");
  EXPECT_EQ(cut_by(metaspace(Prepend::always), " a"), "_a");
  EXPECT_EQ(cut_by(metaspace(Prepend::never), "a b"), "a|_b");
  EXPECT_EQ(cut_by(metaspace(Prepend::first), "a b"), "_a|_b");
  EXPECT_EQ(cut_by(metaspace(Prepend::first), "a b", false), "a|_b") << "an added token came before";
}

TEST(Normalizer, StepsFollowOneAnother) {
  Normalizer normalizer;
  normalizer.add(UnicodeForm::nfc);
  normalizer.add(PrependText{"_"});
  normalizer.add(ReplaceMatches{Regex(" {2,}"), "-"});
  EXPECT_EQ(normalizer.normalize("e\u0301  x   y"), "_\u00e9-x-y");
  EXPECT_EQ(normalizer.normalize("\u212b \u1112\u1161\u11ab"), "_\u00c5 \ud55c");
  EXPECT_EQ(normalizer.normalize(""), "");
}

TEST(AddedTokens, TheLongestOfTheLeftmostIsTaken) {
  AddedTokens tokens;
  tokens.add({"<e>", 1});
  tokens.add({"<e>x", 2, true, true});
  tokens.add({"", 3});
  std::vector<std::string> told;
  const std::string text = "a  <e>x  <e><e";
  for (const auto& part : tokens.parts(text)) {
    told.push_back(text.substr(part.range.first, part.range.size) + (part.id ? std::to_string(*part.id) : ""));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"a", "  <e>x  2", "<e>1", "<e"}));
}

TEST(Utf8, BrokenCharactersAreReplacedAsEveryDecoderDoes) {
  struct Row {
    std::string given, expected;
  };
  for (const Row& row : {
           Row{"a\u00e9\U0001f680", "a\u00e9\U0001f680"},
           Row{"a\xffz", "a\ufffdz"},
           Row{"\xe2\x82", "\ufffd"},
           Row{"\xe2\x82x", "\ufffdx"},
           Row{"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},  // a surrogate
           Row{"\xc0\xaf", "\ufffd\ufffd"},            // longer than needed
           Row{"\xf0\x9f\x98", "\ufffd"},
           Row{"\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd"},  // past U+10FFFF
           Row{"\x80", "\ufffd"},
       }) {
    EXPECT_EQ(valid_utf8(row.given), row.expected);
  }
}

TEST(Utf8, WhiteSpaceIsThatOfUnicode) {
  EXPECT_EQ(leading_white_space(" \u3000\nx "), 5u);
  EXPECT_EQ(trailing_white_space("x\u00a0\u180e\u2028\t"), 4u);
  EXPECT_EQ(leading_white_space(""), 0u);
}

}  // namespace
}  // namespace loadline
