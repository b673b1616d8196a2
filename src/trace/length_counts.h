#pragma once
// A distribution of lengths as a table: how many rows have each. Quantiles and ranks then cost one walk over the table
// and no sorting, whatever the number of rows.

#include <cstdint>
#include <vector>

#include "core/workload.h"

namespace loadline {

class LengthCounts {
 public:
  /// `length` lies in [0, longest_length].
  void add(std::uint64_t length, std::uint64_t rows) {
    if (length >= counts_.size()) grow_to(length);
    counts_[length] += rows;
    rows_ += rows;
  }

  /// Nearest ranks, as summarise_lengths (core/workload.h) gives them.
  LengthSummary summary() const;
  /// By length: twice the mean of the ranks that rows of this length share, less twice the mean of all ranks. A whole
  /// number, so that sums of products are exact; meaningless where no row has the length.
  std::vector<std::int64_t> centred_double_ranks() const;

 private:
  void grow_to(std::uint64_t length);

  std::vector<std::uint64_t> counts_;  ///< by length
  std::uint64_t rows_ = 0;
};

}  // namespace loadline
