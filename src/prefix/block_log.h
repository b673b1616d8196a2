#pragma once
// Which blocks were used by which request, as far as memory goes: all of them, or beyond it those of a share of the
// ids, chosen by their hash (spatially hashed sampling: Waldspurger et al., SHARDS, FAST 2015). The choice depends on
// the id and the share alone, so logs of parts merge into exactly the log of the whole.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/part_stream.h"
#include "core/units.h"
#include "prefix/block_index.h"

namespace loadline {

/// One use of a kept block.
struct BlockUse {
  std::uint32_t block;  ///< its number in the index
  std::uint32_t depth;  ///< its place in the prompt, from 0
};

class BlockLog {
 public:
  /// Ids are given up by halves as soon as what is kept takes more than `memory_bytes`, also within one row.
  explicit BlockLog(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

  /// A request whose prompt of `prompt` tokens begins with the blocks `ids`.
  void add(Nanos arrival, std::uint32_t prompt, std::span<const std::uint64_t> ids);
  /// `other` was added behind this: of one instant, its requests come behind those of this.
  void merge(BlockLog&& other);

  /// One of 2^halvings ids is kept.
  std::uint32_t halvings() const { return halvings_; }
  double share() const { return 1.0 / static_cast<double>(std::uint64_t{1} << halvings_); }
  /// Uses whose id stood behind another id, or at another depth, when it was first seen: 0 where ids are chained.
  std::uint64_t unchained_uses() const { return unchained_uses_; }
  /// Requests of merged logs that have the arrival of a request merged before: only the order of merging orders them.
  std::uint64_t ties() const { return ties_; }
  std::uint32_t blocks() const { return index_.size(); }
  std::uint64_t uses() const { return uses_.size(); }
  /// By block number: three bits of the id's hash, which split the blocks into eight groups at random.
  std::vector<std::uint8_t> groups() const;

  /// visit(prompt, uses) for each request that has kept blocks, in order of arrival; of one instant in order of adding.
  template <class Visit>
  void for_each_in_time(Visit visit) const {
    std::vector<BlockUse> uses;
    for_each_row([&](const Row& row, std::uint64_t first_use) {
      uses.assign(uses_.begin() + static_cast<std::ptrdiff_t>(first_use),
                  uses_.begin() + static_cast<std::ptrdiff_t>(first_use + row.uses));
      visit(row.prompt, std::span<const BlockUse>(uses));
    });
  }

  void write(PartWriter& part) const;
  /// Into an empty log; ids are given up while it is read, as soon as they take too much. Beside the memory: four bytes
  /// for each block of the part.
  void read(PartReader& part);

 private:
  struct Row {
    Nanos arrival;
    std::uint32_t prompt, uses;
  };
  struct RowPlace {
    Nanos arrival;
    std::uint64_t row, first_use;
  };
  bool kept(std::uint64_t id) const { return halvings_ == 0 || BlockIndex::spread(id) >> (64 - halvings_) == 0; }
  std::vector<RowPlace> places_in_time() const;
  template <class Visit>
  void for_each_row(Visit visit) const;
  std::vector<Nanos> arrivals_in_time() const;
  std::uint64_t arrivals_shared_with(const BlockLog& before) const;
  /// The numbers by the part's numbers, given_up for an id that is not kept.
  std::vector<std::uint32_t> read_blocks(PartReader& part);
  void add_uses(std::span<const std::uint64_t> ids, std::size_t from, std::size_t to);
  void add_row(Nanos arrival, std::uint32_t prompt, std::uint32_t uses);
  std::uint64_t bytes() const;
  /// Block numbers change; `numbers`, where given, hold numbers and are put right (given_up for an id that went).
  void fit_memory(std::vector<std::uint32_t>* numbers = nullptr);
  void halve(std::uint32_t times, std::vector<std::uint32_t>* numbers = nullptr);
  static constexpr std::uint32_t given_up = 0xffffffff;

  std::uint64_t memory_bytes_;
  BlockIndex index_;
  std::deque<Row> rows_;
  std::deque<BlockUse> uses_;
  std::uint64_t unchained_uses_ = 0;
  std::uint32_t halvings_ = 0;
  std::uint64_t ties_ = 0;
  std::uint32_t open_uses_ = 0;  ///< the last of uses_: of the row that is being added
  bool ascending_ = true;
};

template <class Visit>
void BlockLog::for_each_row(Visit visit) const {
  if (!ascending_) {
    for (const RowPlace& place : places_in_time()) visit(rows_[place.row], place.first_use);
    return;
  }
  std::uint64_t first_use = 0;
  for (const Row& row : rows_) {
    visit(row, first_use);
    first_use += row.uses;
  }
}

}  // namespace loadline
