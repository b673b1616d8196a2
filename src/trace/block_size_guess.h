#pragma once
// How many tokens a block has, where a log gives a prompt's length and its blocks' ids but not that.

#include <cstdint>
#include <optional>

#include "core/units.h"

namespace loadline {

struct BlockSize {
  std::uint32_t tokens = 0;
  bool partial_tail = true;  ///< a partly filled last block has an id too
};

class BlockSizeGuess {
 public:
  /// A prompt (> 0 tokens) has `count` ids.
  void note(Tokens prompt, std::uint64_t count);
  /// The one power of two up to 16,384 with which all prompts seen agree, rounding up or else down. Nothing where
  /// there is none, or more than one.
  std::optional<BlockSize> size() const;
  /// The same where the log does tell the size, which must agree with all prompts seen.
  std::optional<BlockSize> size_of(std::uint32_t tokens) const;

 private:
  static constexpr int powers = 15;
  bool seen_ = false;
  std::uint32_t rounds_up_ = (1U << powers) - 1, rounds_down_ = rounds_up_;  ///< one bit for each power
};

}  // namespace loadline
