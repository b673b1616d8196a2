#include "statistics/percentile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"

namespace loadline {

std::uint64_t nearest_rank(double p, std::uint64_t n) {
  check(p > 0 && p <= 1 && n > 0, "a percentile lies in (0, 1] and a sample is not empty");
  // 0.99 * 100 is 99.00000000000001 in doubles; as 990000000000 / 10^12 in whole numbers it is exact.
  constexpr std::uint64_t scale = 1'000'000'000'000;
  const auto parts = static_cast<std::uint64_t>(std::llround(p * static_cast<double>(scale)));
  const auto number = (static_cast<unsigned __int128>(parts) * n + scale - 1) / scale;
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(number), 1, n);
}

std::vector<double> values_at_ranks(std::vector<double> values, std::span<const std::uint64_t> ranks) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return ranks[i]; });
  std::vector<double> found(ranks.size());
  auto begin = values.begin();
  for (const std::size_t i : order) {
    check(ranks[i] >= 1 && ranks[i] <= values.size(), "a rank lies inside its sample");
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(ranks[i] - 1);
    // What lies before `begin` is already no larger than everything behind it.
    if (place >= begin) {
      std::nth_element(begin, place, values.end());
      begin = place + 1;
    }
    found[i] = *place;
  }
  return found;
}

double percentile(std::vector<double> values, double p) {
  const std::uint64_t rank = nearest_rank(p, values.size());
  return values_at_ranks(std::move(values), std::span(&rank, 1)).front();
}

}  // namespace loadline
