// Mattson's stack distances, exactly and in one pass for caches of every size: each use has a position in time, and
// only the last use of a block is marked. The rank of a block is the number of marks at or behind its own, which a
// Fenwick tree counts in log n steps (Bennett and Kruskal, 1975).

#include "prefix/reuse_order.h"

#include "core/error.h"

namespace loadline {

ReuseOrder::ReuseOrder(std::uint32_t blocks, std::uint64_t uses) : last_use_(blocks, 0), tree_(uses + 1, 0) {}

std::uint64_t ReuseOrder::rank(std::uint32_t block) const {
  const std::uint64_t last = last_use_[block];
  if (last == 0) return 0;
  std::int64_t up_to = 0;
  for (std::uint64_t at = last; at > 0; at &= at - 1) up_to += tree_[at];
  return used_blocks_ - static_cast<std::uint64_t>(up_to) + 1;
}

void ReuseOrder::use(std::uint32_t block) {
  check(uses_ + 1 < tree_.size(), "no more uses than were announced");
  std::uint64_t& last = last_use_[block];
  if (last == 0) {
    ++used_blocks_;
  } else {
    add(last, -1);
  }
  last = ++uses_;
  add(last, 1);
}

void ReuseOrder::add(std::uint64_t at, std::int32_t change) {
  for (; at < tree_.size(); at += at & (~at + 1)) tree_[at] += change;
}

}  // namespace loadline
