// A text goes through five hands, each of which the file may describe: added tokens are taken out; the rest is
// normalised, searched for added tokens that are normalised too, cut into words, and each word is encoded. Words
// repeat, so their ids are remembered.
#include "tokens/tokenizer.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "tokens/tokenizer_file.h"
#include "tokens/unsupported.h"
#include "tokens/utf8.h"

namespace loadline {
namespace {

constexpr std::size_t most_remembered_words = 100'000, longest_remembered_word = 64;

std::string bytes_of(const std::string& path) {
  const bool is_folder = std::filesystem::is_directory(path);
  const std::string file = is_folder ? (std::filesystem::path(path) / "tokenizer.json").string() : path;
  std::ifstream stream(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream || bytes.empty()) {
    throw Error(
        fmt::format("--tokenizer: cannot read {}; give a tokenizer.json or the model's folder that holds one", file));
  }
  return bytes;
}

}  // namespace

class Tokenizer::Parts {
 public:
  explicit Parts(TokenizerFile file)
      : normalizer_(std::move(file.normalizer)),
        pre_tokenizer_(std::move(file.pre_tokenizer)),
        bpe_(std::move(file.rules)) {
    for (TokenizerFile::Added& added : file.added) {
      if (added.is_normalized) added.token.content = normalizer_.normalize(std::move(added.token.content));
      (added.is_normalized ? normalized_ : as_written_).add(std::move(added.token));
    }
  }

  void append_ids(std::string_view text, std::vector<TokenId>& out) {
    for (const AddedTokens::Part& part : as_written_.parts(text)) {
      if (part.id)
        out.push_back(*part.id);
      else
        append_between(std::string(text.substr(part.range.first, part.range.size)), part.range.first == 0, out);
    }
  }

 private:
  void append_between(std::string text, bool begins_answer, std::vector<TokenId>& out) {
    text = normalizer_.normalize(std::move(text));
    for (const AddedTokens::Part& part : normalized_.parts(text)) {
      if (part.id) {
        out.push_back(*part.id);
        continue;
      }
      const Pieces pieces =
          pre_tokenizer_.cut(text.substr(part.range.first, part.range.size), begins_answer && part.range.first == 0);
      for (const TextRange& word : pieces.ranges) {
        append_word(std::string_view(pieces.text).substr(word.first, word.size), out);
      }
    }
  }

  void append_word(std::string_view word, std::vector<TokenId>& out) {
    if (word.size() > longest_remembered_word) return bpe_.append_ids(word, out);
    auto known = words_.find(word);
    if (known == words_.end()) {
      if (words_.size() == most_remembered_words) words_.clear();
      std::vector<TokenId> ids;
      bpe_.append_ids(word, ids);
      known = words_.emplace(word, std::move(ids)).first;
    }
    out.insert(out.end(), known->second.begin(), known->second.end());
  }

  Normalizer normalizer_;
  PreTokenizer pre_tokenizer_;
  Bpe bpe_;
  AddedTokens as_written_, normalized_;
  std::unordered_map<std::string, std::vector<TokenId>, TextHash, std::equal_to<>> words_;
};

Tokenizer::Tokenizer(const std::string& path) {
  const std::string bytes = bytes_of(path);
  try {
    parts_ = std::make_unique<Parts>(read_tokenizer_file(bytes));
  } catch (const Unsupported& reason) {
    throw Error(
        fmt::format("--tokenizer: cannot count with {}: {}; give a byte pair encoding (BPE), or leave the option "
                    "out and use a server that reports usage",
                    path, reason.what()));
  }
}

Tokenizer::~Tokenizer() = default;

std::vector<TokenId> Tokenizer::ids(const std::string& text) {
  std::vector<TokenId> ids;
  parts_->append_ids(valid_utf8(text), ids);
  return ids;
}

Tokens Tokenizer::count(const std::string& text) { return Tokens(static_cast<std::int64_t>(ids(text).size())); }

}  // namespace loadline
