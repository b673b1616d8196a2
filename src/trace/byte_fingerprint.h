#pragma once
// What tells two logs apart: how many bytes they have, and a hash of them. Not keyed and not for secrets.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/trace.h"

namespace loadline {

/// Of bytes that come in pieces; the cut does not matter. Logs that differ have one fingerprint with probability 2^-64.
class ByteFingerprint {
 public:
  void add(std::span<const char> bytes);
  SourceFingerprint of_all() const;

 private:
  static constexpr std::size_t lane_count = 8, stripe_bytes = 16 * lane_count;
  using Lanes = std::array<std::uint64_t, lane_count>;
  static void add_stripes(std::span<const char> bytes, Lanes& lanes);

  Lanes lanes_{};
  std::array<char, stripe_bytes> held_{};  ///< the beginning of the next stripe, zeros behind it
  std::size_t held_size_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace loadline
