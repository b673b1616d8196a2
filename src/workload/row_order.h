#pragma once
// Which row of the log comes next, and in which pass over it.

#include <cstdint>
#include <vector>

#include "core/random.h"
#include "core/workload.h"

namespace loadline {

struct ChosenRow {
  std::uint64_t row = 0;
  std::uint32_t pass = 0;  ///< sharing never crosses a pass, and a row comes once in each
};

/// An endless order of the rows of a log of `rows` > 0 rows, decided by `seed`. `sampler`: rows or replay.
class RowOrder {
 public:
  RowOrder(Sampler sampler, std::uint64_t rows, std::uint64_t seed);
  ChosenRow next();
  /// Passes begun so far.
  std::uint32_t passes() const { return passes_; }

 private:
  ChosenRow next_of_replay();
  ChosenRow next_of_rows();

  Sampler sampler_;
  std::uint64_t rows_;
  Random random_;
  std::uint64_t position_ = 0;        // replay: the next row
  std::vector<std::uint32_t> draws_;  // rows: how often each was drawn
  std::uint32_t passes_ = 1;
};

}  // namespace loadline
