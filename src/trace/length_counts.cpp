#include "trace/length_counts.h"

#include <array>

#include "core/error.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

struct QuantileField {
  std::uint64_t permille;
  std::int64_t LengthSummary::* field;
};
constexpr std::array quantile_fields{
    QuantileField{10, &LengthSummary::p1},    QuantileField{50, &LengthSummary::p5},
    QuantileField{100, &LengthSummary::p10},  QuantileField{250, &LengthSummary::p25},
    QuantileField{500, &LengthSummary::p50},  QuantileField{750, &LengthSummary::p75},
    QuantileField{900, &LengthSummary::p90},  QuantileField{950, &LengthSummary::p95},
    QuantileField{990, &LengthSummary::p99},  QuantileField{999, &LengthSummary::p99_9},
    QuantileField{1000, &LengthSummary::max},
};

}  // namespace

void LengthCounts::grow_to(std::uint64_t length) {
  check(length <= static_cast<std::uint64_t>(longest_length), "no row is longer than the longest length");
  counts_.resize(length + 1, 0);
}

LengthSummary LengthCounts::summary() const {
  LengthSummary summary;
  summary.n = rows_;
  if (rows_ == 0) return summary;
  std::uint64_t below = 0;
  double sum = 0;
  auto next = quantile_fields.begin();
  for (std::size_t length = 0; length < counts_.size(); ++length) {
    if (counts_[length] == 0) continue;
    if (below == 0) summary.min = static_cast<std::int64_t>(length);
    below += counts_[length];
    sum += static_cast<double>(counts_[length]) * static_cast<double>(length);
    // Number ceil(p n) is the first whose count of rows up to it reaches p n.
    for (; next != quantile_fields.end() && below * 1000 >= next->permille * rows_; ++next) {
      summary.*(next->field) = static_cast<std::int64_t>(length);
    }
  }
  summary.mean = sum / static_cast<double>(rows_);
  return summary;
}

std::vector<std::int64_t> LengthCounts::centred_double_ranks() const {
  std::vector<std::int64_t> ranks(counts_.size(), 0);
  std::uint64_t below = 0;
  for (std::size_t length = 0; length < counts_.size(); ++length) {
    // Ranks below + 1 to below + count: their mean is below + (count + 1) / 2; the mean of all is (rows + 1) / 2.
    ranks[length] = static_cast<std::int64_t>(2 * below + counts_[length]) - static_cast<std::int64_t>(rows_);
    below += counts_[length];
  }
  return ranks;
}

}  // namespace loadline
