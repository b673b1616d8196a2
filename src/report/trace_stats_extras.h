#pragma once
// What the pages of a log say beyond the log itself: what a cache of some size means for a named model.

#include <cstdint>
#include <optional>
#include <string>

namespace loadline {

struct TraceStatsExtras {
  std::optional<double> kv_bytes_per_token;  ///< of the whole model, all layers; absent without a model
  std::string model;                         ///< its name, for people; empty without one

  /// KV cache that `blocks` blocks of `block_size` tokens fill, bytes.
  std::optional<double> kv_bytes(std::uint64_t blocks, std::uint32_t block_size) const {
    if (!kv_bytes_per_token) return std::nullopt;
    return static_cast<double>(blocks) * block_size * *kv_bytes_per_token;
  }
};

}  // namespace loadline
