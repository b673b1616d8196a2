#pragma once
// Percentiles by nearest rank: always one of the values, never between two. docs/method.md, head.

#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// Number, counted from 1, of the nearest rank of `p` among `n` values: ceil(p n), at least 1. `p` in (0, 1] is
/// taken as the decimal it was written as (12 places), so that 0.99 of 100 is 99 and not 100 by a rounding error.
/// n > 0.
std::uint64_t nearest_rank(double p, std::uint64_t n);

/// The values at `ranks` (each from 1 to values.size(), any order), in the order asked. Linear time; +infinity
/// (a failure) sorts last. No NaN.
std::vector<double> values_at_ranks(std::vector<double> values, std::span<const std::uint64_t> ranks);

/// Nearest-rank percentile of `values` in any order; not empty.
double percentile(std::vector<double> values, double p);

}  // namespace loadline
