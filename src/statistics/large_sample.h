#pragma once
// Exact ranks of tens of millions of gaps without sorting or copying them.

#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// A read-only view of many stretches of numbers as one sample. The stretches must outlive it.
/// Construction reads the data once; `at_ranks` once more for neighbourhoods of ranks it has not been asked about
/// (a few ns an element for either) and remembers what it found there. Not for several threads at once.
class LargeSample {
 public:
  explicit LargeSample(std::vector<std::span<const std::uint32_t>> stretches);
  std::uint64_t size() const { return size_; }
  double sum() const { return sum_; }
  /// Reads at once what later calls of `at_ranks` for these ranks and for all ranks from `tail_from` on will need.
  void prepare(std::span<const std::uint64_t> ranks, std::uint64_t tail_from) const;
  /// The numbers at `ranks` (each from 1 to size()), in the order asked.
  std::vector<std::uint32_t> at_ranks(std::span<const std::uint64_t> ranks) const;

 private:
  struct Place {
    std::uint32_t bucket = 0;
    std::uint64_t rank_inside = 1;
  };
  Place place_of(std::uint64_t rank) const;
  void collect(const std::vector<std::uint8_t>& is_wanted) const;

  std::vector<std::span<const std::uint32_t>> stretches_;
  std::vector<std::uint64_t> bucket_counts_;
  mutable std::vector<std::vector<std::uint32_t>> collected_;  // by bucket; empty where nobody has asked
  std::uint64_t size_ = 0;
  double sum_ = 0;
};

}  // namespace loadline
