#pragma once
// Exact ranks of tens of millions of gaps without sorting or copying them.

#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// A read-only view of many stretches of numbers as one sample. The stretches must outlive it.
/// Construction reads the data once, every `at_ranks` once more (a few ns an element for both).
class LargeSample {
 public:
  explicit LargeSample(std::vector<std::span<const std::uint32_t>> stretches);
  std::uint64_t size() const { return size_; }
  double sum() const { return sum_; }
  /// The numbers at `ranks` (each from 1 to size()), in the order asked.
  std::vector<std::uint32_t> at_ranks(std::span<const std::uint64_t> ranks) const;

 private:
  std::vector<std::span<const std::uint32_t>> stretches_;
  std::vector<std::uint64_t> bucket_counts_;
  std::uint64_t size_ = 0;
  double sum_ = 0;
};

}  // namespace loadline
