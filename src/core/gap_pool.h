#pragma once
// The gaps between output chunks of all requests of a level, in units of 100 ns, packed.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace loadline {

inline constexpr std::int64_t nanos_per_gap_unit = 100;

/// Where one request's gaps lie.
struct GapSpan {
  std::uint32_t chunk = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Append-only; spans stay valid and memory is never moved, so that a growing level does not stall its loop.
class GapPool {
 public:
  GapSpan append(std::span<const std::uint32_t> gaps);
  std::span<const std::uint32_t> at(GapSpan span) const;
  std::uint64_t size() const { return size_; }
  /// Forgets all gaps and keeps the memory of one chunk; earlier spans mean nothing any more.
  void clear();

 private:
  std::vector<std::vector<std::uint32_t>> chunks_;
  std::uint64_t size_ = 0;
};

}  // namespace loadline
