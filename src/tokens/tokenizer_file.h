#pragma once
// A tokenizer as it stands in a file tokenizer.json, the format of Hugging Face's tokenizers.

#include <string>
#include <vector>

#include "tokens/added_tokens.h"
#include "tokens/bpe.h"
#include "tokens/normalizer.h"
#include "tokens/pre_tokenizer.h"

namespace loadline {

struct TokenizerFile {
  struct Added {
    AddedToken token;
    bool is_normalized = false;  ///< looked for in the normalised text, in its normalised form
  };
  std::vector<Added> added;
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  BpeRules rules;
};

/// `json`: the file's bytes. What only concerns special tokens, decoding or the length of inputs is not read. Throws
/// Unsupported for what is no such file, and for what it names that is not known here.
TokenizerFile read_tokenizer_file(const std::string& json);

}  // namespace loadline
