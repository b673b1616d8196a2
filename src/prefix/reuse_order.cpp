// Mattson's stack distances, exactly and in one pass for caches of every size: each use has a position in time, and
// only the last use of a block is marked. The rank of a block is the number of marks at or behind its own, which a
// Fenwick tree counts in log n steps (Bennett and Kruskal, 1975). The marks are bits, and the tree counts them by the
// cache line, so that both stay in the processor's caches where a tree over single uses would not.

#include "prefix/reuse_order.h"

#include <bit>

#include "core/error.h"

namespace loadline {

ReuseOrder::ReuseOrder(std::uint32_t blocks, std::uint64_t uses)
    : last_use_(blocks, 0), announced_(static_cast<std::uint32_t>(uses)) {
  check(uses < (std::uint64_t{1} << 32), "fewer than 2^32 uses of blocks are kept");
  const std::size_t lines = uses / marks_a_line + 1;
  marks_.assign(lines * words_a_line, 0);
  tree_.assign(lines + 1, 0);
}

std::uint64_t ReuseOrder::marks_before(std::uint32_t position) const {
  const std::uint32_t line = position / marks_a_line, word = position / 64;
  std::int64_t count = 0;
  for (std::uint32_t at = line; at > 0; at &= at - 1) count += tree_[at];
  for (std::uint32_t i = line * words_a_line; i < word; ++i) count += std::popcount(marks_[i]);
  const std::uint64_t below = (std::uint64_t{1} << (position % 64)) - 1;
  return static_cast<std::uint64_t>(count + std::popcount(marks_[word] & below));
}

std::uint64_t ReuseOrder::rank(std::uint32_t block) const {
  const std::uint32_t last = last_use_[block];
  return last == 0 ? 0 : used_blocks_ - marks_before(last - 1);
}

void ReuseOrder::use(std::uint32_t block) {
  check(uses_ < announced_, "no more uses than were announced");
  std::uint32_t& last = last_use_[block];
  if (last == 0) {
    ++used_blocks_;
  } else {
    marks_[(last - 1) / 64] &= ~(std::uint64_t{1} << ((last - 1) % 64));
    add_to_line(last - 1, -1);
  }
  marks_[uses_ / 64] |= std::uint64_t{1} << (uses_ % 64);
  add_to_line(uses_, 1);
  last = ++uses_;
}

void ReuseOrder::add_to_line(std::uint32_t position, std::int32_t change) {
  for (std::size_t at = position / marks_a_line + 1; at < tree_.size(); at += at & (~at + 1)) tree_[at] += change;
}

}  // namespace loadline
