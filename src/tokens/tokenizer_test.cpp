// The truth is Hugging Face's own library: tests/data/tokenizers/make.py wrote what it says of each text.
#include "tokens/tokenizer.h"

#include <gtest/gtest.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"

namespace loadline {
namespace {

const std::string tokenizer_data = LOADLINE_SOURCE_DIR "/tests/data/tokenizers/";

class TokenizerFiles : public testing::Test {
 protected:
  TokenizerFiles() { std::filesystem::create_directory(folder_); }
  ~TokenizerFiles() override { std::filesystem::remove_all(folder_); }
  std::string written(const std::string& content, const std::string& name = "tokenizer.json") {
    std::ofstream(folder_ + "/" + name) << content;
    return folder_ + "/" + name;
  }
  const std::string folder_ = testing::TempDir() + "tokenizer_files_" + std::to_string(getpid());
};

std::string refusal_of(const std::string& path) {
  try {
    const Tokenizer tokenizer(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::unusable_input);
    return error.what();
  }
  return "";
}

TEST(Tokenizer, GivesTheIdsThatHuggingFaceGives) {
  simdjson::dom::parser parser;
  Tokenizer byte_level(tokenizer_data + "byte_level.json"), sentencepiece(tokenizer_data + "sentencepiece.json");
  int rows = 0;
  for (const auto row : parser.load_many(tokenizer_data + "expected.jsonl")) {
    const std::string text{row["text"].get_string().value()};
    const auto expected = [&row](const char* name) {
      std::vector<TokenId> ids;
      for (const auto id : simdjson::dom::array(row[name])) ids.push_back(static_cast<TokenId>(std::uint64_t(id)));
      return ids;
    };
    EXPECT_EQ(byte_level.ids(text), expected("byte_level")) << text;
    EXPECT_EQ(sentencepiece.ids(text), expected("sentencepiece")) << text;
    EXPECT_EQ(byte_level.ids(text), expected("byte_level")) << "from memory: " << text;
    ++rows;
  }
  EXPECT_EQ(rows, 41);
}

TEST(Tokenizer, CountsTheWholeTextWhichIsNotTheSumOfItsChunks) {
  Tokenizer tokenizer(tokenizer_data + "byte_level.json");
  const std::string text = "the throughput of the server in tokens per second";
  EXPECT_EQ(tokenizer.count(text), Tokens(16));
  Tokens by_chunk{};
  for (const char c : text) by_chunk += tokenizer.count(std::string(1, c));
  EXPECT_EQ(by_chunk, Tokens(49));
}

TEST(Tokenizer, ReadsBrokenTextAsEveryDecoderDoes) {
  Tokenizer tokenizer(tokenizer_data + "byte_level.json");
  EXPECT_EQ(tokenizer.ids("a\xE2\x82z"), tokenizer.ids("a\uFFFDz"));
}

TEST_F(TokenizerFiles, AFolderMayHoldTheFile) {
  std::filesystem::copy_file(tokenizer_data + "sentencepiece.json", folder_ + "/tokenizer.json");
  EXPECT_EQ(Tokenizer(folder_).ids("a"), (std::vector<TokenId>{331}));
}

TEST_F(TokenizerFiles, MergesMayBePairs) {
  const std::string file =
      written(R"({"model": {"vocab": {"a": 0, " ": 1, "a ": 2}, "merges": [["a", " "]]}, "added_tokens": []})");
  EXPECT_EQ(Tokenizer(file).ids("a a"), (std::vector<TokenId>{2, 0}));
}

TEST_F(TokenizerFiles, WhatCannotBeReadIsSaidWithItsName) {
  EXPECT_NE(refusal_of(folder_).find("cannot read " + folder_ + "/tokenizer.json"), std::string::npos);
  EXPECT_NE(refusal_of("/nowhere/t.json").find("cannot read /nowhere/t.json"), std::string::npos);
}

TEST_F(TokenizerFiles, WhatIsNotKnownIsRefusedByName) {
  const auto bpe = [](const std::string& more_of_model, const std::string& more = "") {
    return R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [])" + more_of_model + "}" + more + "}";
  };
  struct Row {
    std::string content, named;
  };
  for (const Row& row : {
           Row{"this is no JSON", "it is not JSON"},
           Row{"[]", "it has no model"},
           Row{R"({"model": {"type": "Unigram", "vocab": []}})", "its model is Unigram"},
           Row{R"({"model": {"type": "WordPiece", "vocab": {}}})", "its model is WordPiece"},
           Row{R"({"model": {"vocab": {}}})", "its model is of no type"},
           Row{R"({"model": {"type": "BPE", "merges": []}})", "its model has no vocabulary"},
           Row{R"({"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}})", "its token \"a\""},
           Row{R"({"model": {"type": "BPE", "vocab": {}, "merges": ["a"]}})", "not a pair"},
           Row{R"({"model": {"type": "BPE", "vocab": {}, "merges": ["a b"]}})", "lacks the token \""},
           Row{bpe(R"(, "dropout": 0.1)"), "its model has the member dropout"},
           Row{bpe(R"(, "end_of_word_suffix": "</w>")"), "its model has the member end_of_word_suffix"},
           Row{bpe("", R"(, "normalizer": {"type": "BertNormalizer"})"), "its normalizer is BertNormalizer"},
           Row{bpe("", R"(, "pre_tokenizer": {"type": "BertPreTokenizer"})"), "its pre-tokenizer is BertPreTokenizer"},
           Row{bpe("", R"(, "pre_tokenizer": {"type": "Split", "behavior": "Isolated"})"), "has no pattern"},
           Row{bpe("", R"(, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "("}, "behavior": "Isolated"})"),
               "its pattern ( is not readable"},
           Row{bpe("", R"(, "added_tokens": [{"id": 1, "content": "x", "single_word": true}])"), "a single word"},
       }) {
    const std::string said = refusal_of(written(row.content));
    EXPECT_NE(said.find(row.named), std::string::npos) << said;
    EXPECT_NE(said.find("leave the option out"), std::string::npos) << said;
  }
}

TEST_F(TokenizerFiles, EmptyPrefixesAndNoDropoutAreNothing) {
  const std::string file = written(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.0,
      "continuing_subword_prefix": "", "end_of_word_suffix": null}})");
  EXPECT_EQ(Tokenizer(file).ids("aa"), (std::vector<TokenId>{0, 0}));
}

}  // namespace
}  // namespace loadline
