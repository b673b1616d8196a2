#pragma once
// What a tokenizer makes of a text before it looks for words: one form of each character, marks for spaces.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tokens/regex.h"

namespace loadline {

enum class UnicodeForm : std::uint8_t { nfc, nfd, nfkc, nfkd };

struct PrependText {
  std::string text;  ///< not before an empty text
};
struct ReplaceMatches {
  Regex pattern;
  std::string content;
};
using NormalizerStep = std::variant<PrependText, ReplaceMatches, UnicodeForm>;

/// Does nothing without steps.
class Normalizer {
 public:
  void add(NormalizerStep step) { steps_.push_back(std::move(step)); }
  /// `text` is valid UTF-8.
  std::string normalize(std::string text) const;

 private:
  std::vector<NormalizerStep> steps_;
};

}  // namespace loadline
