#pragma once
// Where a text is cut into words, which no token crosses.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tokens/regex.h"

namespace loadline {

/// What becomes of a separator that was found between two pieces.
enum class Separator : std::uint8_t { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct SplitStep {
  Regex pattern;
  Separator separator = Separator::isolated;
  bool invert = false;  ///< what the pattern does not match separates
};

/// Every byte as a character of its own that can be seen (GPT-2).
struct ByteLevelStep {
  bool add_prefix_space = false;
  std::optional<SplitStep> words;  ///< first cut into these
};

/// Spaces as a mark that belongs to the word behind it (sentencepiece).
struct MetaspaceStep {
  enum class Prepend : std::uint8_t { always, first, never };
  std::string mark;
  Prepend prepend = Prepend::always;
  std::optional<SplitStep> words;  ///< then cut into these
};

using PreTokenizerStep = std::variant<SplitStep, ByteLevelStep, MetaspaceStep>;

/// A text and its pieces, in order; none is empty.
struct Pieces {
  std::string text;
  std::vector<TextRange> ranges;
  bool begins_answer = true;  ///< nothing came before this text
};

/// Every step cuts the pieces of the one before.
class PreTokenizer {
 public:
  void add(PreTokenizerStep step) { steps_.push_back(std::move(step)); }
  /// `text` is valid UTF-8.
  Pieces cut(std::string text, bool begins_answer) const;

 private:
  std::vector<PreTokenizerStep> steps_;
};

/// The words of GPT-2, which the ByteLevel step of a file has built in.
SplitStep gpt2_words();
/// Words that begin with `mark`.
SplitStep marked_words(const std::string& mark);

}  // namespace loadline
