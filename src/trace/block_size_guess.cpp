#include "trace/block_size_guess.h"

#include <bit>

#include "trace/block_ids.h"

namespace loadline {

void BlockSizeGuess::note(Tokens prompt, std::uint64_t count) {
  seen_ = true;
  for (int power = 0; power < powers; ++power) {
    const std::uint32_t bit = 1U << power;
    if (!ids_cover(prompt, bit, count)) rounds_up_ &= ~bit;
    if (!ids_fill(prompt, bit, count)) rounds_down_ &= ~bit;
  }
}

std::optional<BlockSize> BlockSizeGuess::size() const {
  const std::uint32_t either = rounds_up_ | rounds_down_;  // the bit of a power is its value
  if (!seen_ || !std::has_single_bit(either)) return std::nullopt;
  return BlockSize{either, rounds_up_ == either};
}

std::optional<BlockSize> BlockSizeGuess::size_of(std::uint32_t tokens) const {
  if (!seen_ || !std::has_single_bit(tokens)) return std::nullopt;
  if ((rounds_up_ & tokens) != 0) return BlockSize{tokens, true};
  if ((rounds_down_ & tokens) != 0) return BlockSize{tokens, false};
  return std::nullopt;
}

}  // namespace loadline
