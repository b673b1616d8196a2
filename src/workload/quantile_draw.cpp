#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "workload/quantile_tables.h"

namespace loadline {

Tokens length_at(const LengthQuantiles& quantiles, double u) {
  const auto above = std::upper_bound(table_probabilities.begin() + 1, table_probabilities.end() - 1, u);
  const auto right = static_cast<std::size_t>(above - table_probabilities.begin());
  const double low = std::max(1, quantiles[right - 1]);
  const double high = std::max(1, quantiles[right]);
  const double from = table_probabilities[right - 1];
  const double part = (u - from) / (table_probabilities[right] - from);
  return Tokens(std::llround(low * std::pow(high / low, part)));
}

DrawnLengths draw_jointly(QuantileTable table, Random& random) {
  double rows = 0;
  for (const QuantileBin& bin : table) rows += bin.rows;
  // One number decides the bin and the place inside it: the prompt's quantile function, at u.
  double place = random.uniform() * rows;
  const double completion_place = random.uniform();
  for (const QuantileBin& bin : table) {
    if (place < bin.rows) return {length_at(bin.prompt, place / bin.rows), length_at(bin.completion, completion_place)};
    place -= bin.rows;
  }
  const QuantileBin& last = table.back();  // u within rounding of 1
  return {Tokens(last.prompt.back()), length_at(last.completion, completion_place)};
}

}  // namespace loadline
