#include "load/lateness.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace loadline {
namespace {

constexpr std::int64_t unit = 100;  // ns
constexpr std::uint64_t per_doubling = 64;

std::size_t bin_of(std::uint64_t units) {
  if (units < per_doubling) return units;
  const auto shift = static_cast<std::uint64_t>(std::bit_width(units)) - 7;  // leaves [64, 128)
  return per_doubling * (shift + 1) + ((units >> shift) - per_doubling);
}

/// The largest number of units that falls into the bin.
std::uint64_t top_of(std::size_t bin) {
  if (bin < per_doubling) return bin;
  const std::uint64_t shift = bin / per_doubling - 1;
  return ((bin % per_doubling + per_doubling + 1) << shift) - 1;
}

}  // namespace

void Lateness::record(Nanos span) {
  const Nanos late = std::max(span, Nanos(0));
  const std::size_t bin = bin_of(static_cast<std::uint64_t>(late.count() / unit));
  ++bins_[std::min(bin, bins_.size() - 1)];
  ++count_;
  max_ = std::max(max_, late);
}

std::optional<double> Lateness::quantile_ms(double share) const {
  if (count_ == 0) return std::nullopt;
  const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    seen += bins_[bin];
    if (seen >= rank)
      return std::min(milliseconds(Nanos(static_cast<std::int64_t>(top_of(bin)) * unit)), milliseconds(max_));
  }
  return milliseconds(max_);
}

std::optional<double> Lateness::max_ms() const {
  if (count_ == 0) return std::nullopt;
  return milliseconds(max_);
}

}  // namespace loadline
