#pragma once
// Lengths that nobody counted: characters times tokens per character, the ratio from the user or from the rows of the
// same log that have both.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/trace.h"

namespace loadline {

class LengthEstimate {
 public:
  /// What a row tells: tokens, characters, or both. `row` is its place in the trace.
  void note(std::size_t row, std::optional<Tokens> prompt, std::optional<std::int64_t> prompt_characters,
            std::optional<Tokens> completion, std::optional<std::int64_t> completion_characters);
  /// The same notes, of rows that come `offset` further behind.
  void append(const LengthEstimate& other, std::size_t offset);
  bool needed() const { return !waiting_.empty(); }

  /// Fills the lengths that wait: max(1, round(characters * ratio)), at most longest_length. `given`: the user's tokens
  /// per character, for prompts and completions; else the ratio of sums over the rows that have both, completions by
  /// their own or, where none has both, by that of prompts. False, and nothing filled, where there is no ratio.
  bool fill(std::optional<double> given, Trace& trace) const;

 private:
  struct Waiting {
    std::size_t row;
    std::int64_t prompt_characters, completion_characters;  ///< -1: the tokens are known, or nothing is
  };
  /// Sums over rows that have both.
  struct Calibration {
    std::int64_t tokens = 0, characters = 0;
    void note(std::optional<Tokens> counted, std::optional<std::int64_t> written);
    std::optional<double> ratio() const;
  };

  std::vector<Waiting> waiting_;
  Calibration prompts_, completions_;
};

}  // namespace loadline
