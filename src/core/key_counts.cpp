#include "core/key_counts.h"

#include <algorithm>
#include <cstring>

#include "core/random.h"

namespace loadline {

std::uint64_t key_of_name(std::string_view name) {
  std::uint64_t key = mix(name.size());
  for (; !name.empty(); name.remove_prefix(std::min<std::size_t>(name.size(), 8))) {
    std::uint64_t word = 0;
    for (std::size_t i = std::min<std::size_t>(name.size(), 8); i > 0; --i) {
      word = word << 8 | static_cast<unsigned char>(name[i - 1]);
    }
    key = mix(key, word);
  }
  return key;
}

std::size_t KeyCounts::home(std::uint64_t key) const {
  // Pairs of lengths fill both halves of a key: fold them, then let one multiplication spread them upwards.
  const std::uint64_t spread = (key ^ (key >> 29)) * 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(spread ^ (spread >> 32)) & (slots_.size() - 1);
}

void KeyCounts::add(std::uint64_t key, std::uint64_t times) {
  if (times == 0) return;
  for (std::size_t at = home(key);; at = (at + 1) & (slots_.size() - 1)) {
    Entry& slot = slots_[at];
    if (slot.count > 0 && slot.key != key) continue;
    if (slot.count == 0) {
      slot.key = key;
      ++size_;
    }
    slot.count += times;
    break;
  }
  if (3 * size_ > 2 * slots_.size()) grow();
}

void KeyCounts::add_each(std::span<const std::uint64_t> keys) {
  for (const std::uint64_t key : keys) __builtin_prefetch(&slots_[home(key)], 1);
  for (const std::uint64_t key : keys) add(key);
}

void KeyCounts::add_all(const KeyCounts& other) {
  // The other's slots come in the order of this table's homes: in a smaller table all would pile up at its beginning,
  // and each would walk past those before it.
  while (slots_.size() < other.slots_.size()) grow();
  other.for_each([&](std::uint64_t key, std::uint64_t count) { add(key, count); });
}

std::vector<KeyCounts::Entry> KeyCounts::sorted() const {
  std::vector<Entry> entries;
  entries.reserve(size_);
  for (const Entry& slot : slots_) {
    if (slot.count > 0) entries.push_back(slot);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  return entries;
}

void KeyCounts::grow() {
  Slots old(slots_.size() * 2);
  old.swap(slots_);
  for (const Entry& entry : old) {
    if (entry.count == 0) continue;
    std::size_t at = home(entry.key);
    while (slots_[at].count > 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = entry;
  }
}

}  // namespace loadline
