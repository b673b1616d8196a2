#include "prefix/block_log.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace loadline {
namespace {

// What a kept thing costs at most, with what the walk over it needs beside: a place in time for a row; a mark for a
// use; for a block a table that has just grown, and its last use.
constexpr std::uint64_t bytes_a_row = 40, bytes_a_use = 9, bytes_a_block = 80;
/// Fewer ids than this tell nothing, so a memory that is too small for them is overdrawn.
constexpr std::uint32_t fewest_blocks = 1024;
constexpr std::uint32_t most_halvings = 40;
constexpr std::size_t ids_at_a_time = 4096;

/// A coding of the id before; 0 is that of the first block.
std::uint32_t behind_code(std::uint64_t id_before) {
  return static_cast<std::uint32_t>(BlockIndex::spread(id_before) >> 24) | 1;
}

}  // namespace

void BlockLog::add(Nanos arrival, std::uint32_t prompt, std::span<const std::uint64_t> ids) {
  std::size_t from = 0;
  for (; ids.size() - from > ids_at_a_time; from += ids_at_a_time) {
    add_uses(ids, from, from + ids_at_a_time);
    fit_memory();
  }
  add_uses(ids, from, ids.size());
  add_row(arrival, prompt, std::exchange(open_uses_, 0));
  fit_memory();
}

void BlockLog::add_uses(std::span<const std::uint64_t> ids, std::size_t from, std::size_t to) {
  if (halvings_ == 0) {
    for (std::size_t depth = from; depth < to; ++depth) index_.prefetch(ids[depth]);
  }
  for (std::size_t depth = from; depth < to; ++depth) {
    if (!kept(ids[depth])) continue;
    const BlockIndex::Found found = index_.number_of(ids[depth], depth == 0 ? 0 : behind_code(ids[depth - 1]));
    unchained_uses_ += found.same_place ? 0 : 1;
    uses_.push_back({found.number, static_cast<std::uint32_t>(depth)});
    ++open_uses_;
  }
}

void BlockLog::add_row(Nanos arrival, std::uint32_t prompt, std::uint32_t uses) {
  if (uses == 0) return;
  ascending_ = ascending_ && (rows_.empty() || rows_.back().arrival <= arrival);
  rows_.push_back({arrival, prompt, uses});
}

void BlockLog::merge(BlockLog&& other) {
  memory_bytes_ = std::max(memory_bytes_, other.memory_bytes_);
  const std::uint32_t halvings = std::max(halvings_, other.halvings_);
  halve(halvings - halvings_);
  other.halve(halvings - other.halvings_);
  std::vector<std::uint32_t> numbers(other.index_.size());
  std::vector<bool> moved(other.index_.size());
  other.index_.for_each([&](std::uint64_t id, std::uint32_t number, std::uint32_t behind) {
    const BlockIndex::Found found = index_.number_of(id, behind);
    numbers[number] = found.number;
    moved[number] = !found.same_place;
  });
  unchained_uses_ += other.unchained_uses_;
  ties_ += other.ties_ + other.arrivals_shared_with(*this);
  for (; !other.rows_.empty(); other.rows_.pop_front()) {
    const Row& row = other.rows_.front();
    add_row(row.arrival, row.prompt, row.uses);
  }
  for (; !other.uses_.empty(); other.uses_.pop_front()) {
    const BlockUse& use = other.uses_.front();
    unchained_uses_ += moved[use.block] ? 1 : 0;
    uses_.push_back({numbers[use.block], use.depth});
  }
  other = BlockLog(other.memory_bytes_);
  fit_memory();
}

std::uint64_t BlockLog::bytes() const {
  return rows_.size() * bytes_a_row + uses_.size() * bytes_a_use + index_.size() * bytes_a_block;
}

void BlockLog::fit_memory(std::vector<std::uint32_t>* numbers) {
  while (bytes() > memory_bytes_ && index_.size() > fewest_blocks && halvings_ < most_halvings) halve(1, numbers);
}

/// Everything is built anew from what stays; the old is given back while it is read.
void BlockLog::halve(std::uint32_t times, std::vector<std::uint32_t>* given_numbers) {
  if (times == 0) return;
  halvings_ += times;
  std::vector<std::uint32_t> numbers(index_.size(), given_up);
  BlockIndex index(index_.size() >> times);
  index_.for_each([&](std::uint64_t id, std::uint32_t number, std::uint32_t behind) {
    if (kept(id)) numbers[number] = index.number_of(id, behind).number;
  });
  index_ = std::move(index);
  std::deque<Row> rows = std::exchange(rows_, {});
  std::deque<BlockUse> uses = std::exchange(uses_, {});
  const auto keep_of_next = [&](std::uint32_t left) {
    std::uint32_t stay = 0;
    for (; left > 0; --left, uses.pop_front()) {
      if (numbers[uses.front().block] == given_up) continue;
      uses_.push_back({numbers[uses.front().block], uses.front().depth});
      ++stay;
    }
    return stay;
  };
  for (; !rows.empty(); rows.pop_front()) {
    const std::uint32_t stay = keep_of_next(rows.front().uses);
    add_row(rows.front().arrival, rows.front().prompt, stay);
  }
  open_uses_ = keep_of_next(open_uses_);
  if (given_numbers == nullptr) return;
  for (std::uint32_t& number : *given_numbers) number = number == given_up ? given_up : numbers[number];
}

std::vector<Nanos> BlockLog::arrivals_in_time() const {
  std::vector<Nanos> arrivals;
  arrivals.reserve(rows_.size());
  for (const Row& row : rows_) arrivals.push_back(row.arrival);
  if (!ascending_) std::sort(arrivals.begin(), arrivals.end());
  return arrivals;
}

std::uint64_t BlockLog::arrivals_shared_with(const BlockLog& before) const {
  if (rows_.empty() || before.rows_.empty()) return 0;
  // Files of one log often follow one another, and then there is nothing to do.
  if (ascending_ && before.ascending_ && before.rows_.back().arrival < rows_.front().arrival) return 0;
  const std::vector<Nanos> earlier = before.arrivals_in_time();
  std::uint64_t shared = 0;
  auto at = earlier.begin();
  for (const Nanos arrival : arrivals_in_time()) {
    while (at != earlier.end() && *at < arrival) ++at;
    shared += at != earlier.end() && *at == arrival ? 1 : 0;
  }
  return shared;
}

std::vector<BlockLog::RowPlace> BlockLog::places_in_time() const {
  std::vector<RowPlace> places;
  places.reserve(rows_.size());
  std::uint64_t first_use = 0;
  for (const Row& row : rows_) {
    places.push_back({row.arrival, places.size(), first_use});
    first_use += row.uses;
  }
  std::sort(places.begin(), places.end(), [](const RowPlace& a, const RowPlace& b) {
    return std::pair(a.arrival, a.row) < std::pair(b.arrival, b.row);
  });
  return places;
}

std::vector<std::uint8_t> BlockLog::groups() const {
  std::vector<std::uint8_t> groups(index_.size());
  index_.for_each([&](std::uint64_t id, std::uint32_t number, std::uint32_t) {
    groups[number] = static_cast<std::uint8_t>(BlockIndex::spread(id) & 7);
  });
  return groups;
}

}  // namespace loadline
