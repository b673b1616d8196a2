#include "workload/balanced_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace loadline {
namespace {

constexpr double golden_ratio = 0.618033988749894848;

}  // namespace

BalancedOrder::BalancedOrder(std::span<const double> residuals, std::uint64_t seed)
    : random_(seed), sorted_(residuals.size()), free_(residuals.size() + 1) {
  check(!residuals.empty(), "an order needs units");
  check(residuals.size() < std::numeric_limits<std::uint32_t>::max(), "units are countable");
  std::vector<std::uint64_t> ties(residuals.size());
  for (std::uint64_t& tie : ties) tie = random_.next();
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return residuals[a] != residuals[b] ? residuals[a] < residuals[b] : ties[a] < ties[b];
  });
}

std::uint32_t BalancedOrder::next() {
  const std::size_t units = sorted_.size();
  if (taken_ == 0) {
    std::iota(free_.begin(), free_.end(), 0U);
    start_ = random_.uniform();
  }
  const double turned = start_ + static_cast<double>(taken_) * golden_ratio;
  const auto wanted = static_cast<std::size_t>((turned - std::floor(turned)) * static_cast<double>(units));
  std::size_t place = free_from(std::min(wanted, units - 1));
  if (place == units) place = free_from(0);
  free_[place] = static_cast<std::uint32_t>(place + 1);
  taken_ = taken_ + 1 == units ? 0 : taken_ + 1;
  return sorted_[place];
}

/// The first free place from `place` on; the number of units where none is left.
std::size_t BalancedOrder::free_from(std::size_t place) {
  while (free_[place] != place) {
    free_[place] = free_[free_[place]];
    place = free_[place];
  }
  return place;
}

}  // namespace loadline
