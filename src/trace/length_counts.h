#pragma once
// A distribution of lengths as a table: how many rows have each. Quantiles and ranks then cost one walk over the table
// and no sorting, whatever the number of rows.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/error.h"
#include "core/trace.h"
#include "core/workload.h"
#include "trace/numbers.h"

namespace loadline {

class LengthCounts {
 public:
  /// Counts length_of(row), which lies in [0, longest_length].
  template <class LengthOf>
  LengthCounts(const std::vector<TraceRow>& rows, LengthOf length_of) {
    std::int64_t longest = 0;
    for (const TraceRow& row : rows) longest = std::max(longest, length_of(row));
    check(longest <= longest_length, "no row is longer than the longest length");
    counts_.assign(static_cast<std::size_t>(longest) + 1, 0);
    for (const TraceRow& row : rows) ++counts_[static_cast<std::size_t>(length_of(row))];
    rows_ = rows.size();
  }

  /// Nearest ranks, as summarise_lengths (core/workload.h) gives them.
  LengthSummary summary() const;
  /// By length: the mean of the ranks (from 1) that rows of this length share; 0 where no row has it.
  std::vector<double> mean_ranks() const;

 private:
  std::vector<std::uint64_t> counts_;  ///< by length
  std::uint64_t rows_ = 0;
};

}  // namespace loadline
