#include "workload/row_order.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {

RowOrder::RowOrder(Sampler sampler, std::uint64_t rows, std::uint64_t seed)
    : sampler_(sampler), rows_(rows), random_(seed) {
  check(rows > 0, "an order needs rows");
  check(sampler == Sampler::rows || sampler == Sampler::replay, "a log is sampled by rows or by replay");
  if (sampler == Sampler::replay) position_ = random_.below(rows);
  if (sampler == Sampler::rows) draws_.assign(rows, 0);
}

ChosenRow RowOrder::next() { return sampler_ == Sampler::replay ? next_of_replay() : next_of_rows(); }

ChosenRow RowOrder::next_of_replay() {
  if (position_ == rows_) {
    position_ = 0;
    ++passes_;
  }
  return {position_++, passes_ - 1};
}

ChosenRow RowOrder::next_of_rows() {
  const std::uint64_t row = random_.below(rows_);
  const std::uint32_t pass = draws_[row]++;
  passes_ = std::max(passes_, pass + 1);
  return {row, pass};
}

}  // namespace loadline
