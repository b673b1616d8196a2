#pragma once
// What the tokenizer of --tokenizer counts in the answers of a run, beside what the server counts.

#include <optional>
#include <string>

#include "core/doubt.h"
#include "core/record.h"
#include "tokens/tokenizer.h"

namespace loadline {

/// One thread at a time.
class AnswerCounter {
 public:
  /// Throws Error where the tokenizer's file cannot be used.
  explicit AnswerCounter(const std::string& path) : tokenizer_(path) {}

  /// `text`: the whole answer, of every channel; empty where none came. Where the server told no count, the record gets
  /// the text's; where it told one, that stays, and both are compared.
  void count(const std::string& text, RequestRecord& record);

  /// Of the answers that ended well and that both counted.
  struct Compared {
    std::uint64_t answers = 0;
    Tokens by_server{}, by_tokenizer{};
  };
  const Compared& compared() const { return compared_; }
  /// Where the two sums differ by more than 1% of the server's.
  std::optional<Doubt> disagreement() const;

 private:
  Tokenizer tokenizer_;
  Compared compared_;
};

}  // namespace loadline
