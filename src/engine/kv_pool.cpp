#include "engine/kv_pool.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {

KvPool::KvPool(std::int64_t blocks, bool keeps_content)
    : capacity_(blocks), unused_(blocks), keeps_content_(keeps_content), table_(64, no_block) {
  check(blocks > 0, "the memory has blocks");
}

void KvPool::take(std::int64_t count) {
  check(count >= 0 && count <= available(), "only available blocks are taken");
  const std::int64_t fresh = std::min(count, unused_);
  unused_ -= fresh;
  for (std::int64_t left = count - fresh; left > 0;) {
    Entry& entry = entries_[oldest_];
    const std::int64_t evicted = entry.run > 0 ? std::min<std::int64_t>(left, entry.run) : 1;
    left -= evicted;
    evictable_ -= evicted;
    if (entry.run > evicted) {
      entry.run -= static_cast<std::uint32_t>(evicted);
      continue;
    }
    if (entry.run == 0) erase(entry.hash);
    spare_.push_back(oldest_);
    unlink(oldest_);
  }
}

void KvPool::give_back(std::int64_t count) {
  if (count == 0) return;
  if (!keeps_content_) {
    unused_ += count;
    return;
  }
  const std::uint32_t entry = new_entry();
  entries_[entry].run = static_cast<std::uint32_t>(count);
  append_evictable(entry);
  evictable_ += count;
}

BlockHandle KvPool::find(std::uint64_t hash) const { return table_[place_of(hash)]; }

void KvPool::hold(BlockHandle block) {
  if (entries_[block].holders++ > 0) return;
  unlink(block);
  --evictable_;
}

void KvPool::release(BlockHandle block) {
  check(entries_[block].holders > 0, "a released block was held");
  if (--entries_[block].holders > 0) return;
  append_evictable(block);
  ++evictable_;
}

BlockHandle KvPool::publish(std::uint64_t hash) {
  if (!keeps_content_ || find(hash) != no_block) return no_block;
  const std::uint32_t entry = new_entry();
  entries_[entry].hash = hash;
  entries_[entry].holders = 1;
  insert(hash, entry);
  return entry;
}

void KvPool::reset() {
  check(held() == 0, "the cache is reset while nobody holds a block");
  unused_ = capacity_;
  evictable_ = 0;
  entries_.clear();
  spare_.clear();
  oldest_ = newest_ = no_block;
  std::fill(table_.begin(), table_.end(), no_block);
  found_ = 0;
}

std::uint32_t KvPool::new_entry() {
  if (spare_.empty()) {
    entries_.emplace_back();
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  const std::uint32_t entry = spare_.back();
  spare_.pop_back();
  entries_[entry] = Entry{};
  return entry;
}

void KvPool::append_evictable(std::uint32_t entry) {
  entries_[entry].previous = newest_;
  entries_[entry].next = no_block;
  (newest_ == no_block ? oldest_ : entries_[newest_].next) = entry;
  newest_ = entry;
}

void KvPool::unlink(std::uint32_t entry) {
  const Entry& e = entries_[entry];
  (e.previous == no_block ? oldest_ : entries_[e.previous].next) = e.next;
  (e.next == no_block ? newest_ : entries_[e.next].previous) = e.previous;
}

/// Where `hash` is in the table, or the empty place where it would go. Hashes are well mixed already.
std::size_t KvPool::place_of(std::uint64_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash & mask;
  while (table_[place] != no_block && entries_[table_[place]].hash != hash) place = (place + 1) & mask;
  return place;
}

void KvPool::insert(std::uint64_t hash, std::uint32_t entry) {
  if (2 * (found_ + 1) > table_.size()) {
    std::vector<std::uint32_t> smaller(table_.size() * 2, no_block);
    smaller.swap(table_);
    for (const std::uint32_t known : smaller) {
      if (known != no_block) table_[place_of(entries_[known].hash)] = known;
    }
  }
  table_[place_of(hash)] = entry;
  ++found_;
}

/// Linear probing without tombstones: what follows is moved up where the gap would hide it.
void KvPool::erase(std::uint64_t hash) {
  const std::size_t mask = table_.size() - 1;
  std::size_t gap = place_of(hash);
  for (std::size_t place = (gap + 1) & mask; table_[place] != no_block; place = (place + 1) & mask) {
    const std::size_t home = entries_[table_[place]].hash & mask;
    if (((place - home) & mask) < ((place - gap) & mask)) continue;
    table_[gap] = table_[place];
    gap = place;
  }
  table_[gap] = no_block;
  --found_;
}

}  // namespace loadline
