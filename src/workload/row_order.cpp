#include "workload/row_order.h"

#include <algorithm>

#include "core/error.h"
#include "workload/log_sharing.h"

namespace loadline {
namespace {

constexpr std::uint64_t rows_per_batch = 500, least_batches = 10;

/// How far each unit's hits are from what its prompts would have at the log's rate, in tokens.
std::vector<double> residuals_of(const Trace& trace, const SessionUnits& units) {
  std::vector<double> residuals(units.size(), 0);
  const LogSharing sharing = log_sharing(trace);
  if (!sharing.token_hit_rate) return residuals;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    for (const std::uint64_t row : units.rows(unit)) {
      if (!sharing.hits[row]) continue;
      const auto prompt = static_cast<double>(trace.rows[row].prompt.value());
      residuals[unit] += static_cast<double>(sharing.hits[row]->value()) - *sharing.token_hit_rate * prompt;
    }
  }
  return residuals;
}

std::uint64_t batches_of(std::uint64_t rows) {
  return std::max(std::min(rows, least_batches), (rows + rows_per_batch / 2) / rows_per_batch);
}

}  // namespace

ChosenRow RandomRows::next() {
  const std::uint64_t row = random_.below(draws_.size());
  const std::uint32_t pass = draws_[row]++;
  passes_ = std::max(passes_, pass + 1);
  return {row, pass, 0};
}

ChosenRow ReplayedRows::next() {
  if (position_ == rows_) {
    position_ = 0;
    ++passes_;
  }
  return {position_++, passes_ - 1, passes_ - 1};
}

SessionRows::SessionRows(const Trace& trace, std::uint64_t seed)
    : units_(session_units(trace)),
      order_(residuals_of(trace, units_), seed),
      rows_(trace.rows.size()),
      batches_(batches_of(rows_)) {}

ChosenRow SessionRows::next() {
  if (position_ == batch_.size()) fill_batch();
  return {batch_[position_++], passes_ - 1, laps_ - 1};
}

void SessionRows::fill_batch() {
  batch_.clear();
  position_ = 0;
  ++laps_;
  if (order_.at_pass_start()) {
    ++passes_;
    rows_of_pass_ = 0;
  }
  // The end of the batch that the next row belongs to: a pass is cut evenly, so that none is left short.
  const std::uint64_t batch = rows_of_pass_ * batches_ / rows_;
  const std::uint64_t until = ((batch + 1) * rows_ + batches_ - 1) / batches_;
  while (rows_of_pass_ < until) {
    const auto unit = units_.rows(order_.next());
    batch_.insert(batch_.end(), unit.begin(), unit.end());
    rows_of_pass_ += unit.size();
  }
  std::sort(batch_.begin(), batch_.end());
}

}  // namespace loadline
