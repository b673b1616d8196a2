#pragma once
// Text -> token count, by the tokenizer of a model (its file tokenizer.json). It knows neither servers nor answers.

#include <memory>
#include <string>
#include <vector>

#include "core/units.h"
#include "tokens/bpe.h"

namespace loadline {

/// Byte pair encoding over bytes (GPT-2, Llama 3, Qwen, DeepSeek) and over characters with bytes as fallback (Llama 2,
/// Mistral, Gemma). The ids are those of Hugging Face's tokenizers, without special tokens around the text; marks of a
/// chat template that stand in the text count as the tokens that they are. One thread at a time: it keeps the words it
/// has seen.
class Tokenizer {
 public:
  /// `path`: a tokenizer.json, or the folder of a model that holds one. Throws Error for what cannot be read, and for
  /// models, normalizers and pre-tokenizers that are not known here, by their names.
  explicit Tokenizer(const std::string& path);
  ~Tokenizer();
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  /// Of the whole text at once: texts cut in two have other tokens. Broken UTF-8 is read as U+FFFD.
  std::vector<TokenId> ids(const std::string& text);
  Tokens count(const std::string& text);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loadline
