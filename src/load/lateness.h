#pragma once
// How late the client was, over millions of reads, in fixed memory.

#include <array>
#include <cstdint>
#include <optional>

#include "core/units.h"

namespace loadline {

/// A log-linear histogram of spans from 0 to hours, in steps of 100 ns and then of 1/64 of the value; recording
/// allocates nothing. Quantiles are exact to that step (upward), the maximum to the nanosecond.
class Lateness {
 public:
  void record(Nanos span);
  /// Nearest rank, 0 < share <= 1; absent when empty.
  std::optional<double> quantile_ms(double share) const;
  std::optional<double> max_ms() const;

 private:
  static constexpr std::size_t steps = 64;  ///< per doubling
  static constexpr std::size_t doublings = 34;
  std::array<std::uint64_t, steps * doublings> bins_{};
  std::uint64_t count_ = 0;
  Nanos max_{};
};

}  // namespace loadline
