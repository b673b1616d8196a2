#pragma once
// An input of a fuzz target: some bytes that choose how the others are cut.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace loadline::fuzz {

/// Takes the first byte off; 0 where there is none.
inline std::uint8_t take_byte(std::string_view& bytes) {
  if (bytes.empty()) return 0;
  const auto first = static_cast<std::uint8_t>(bytes.front());
  bytes.remove_prefix(1);
  return first;
}

/// `bytes` cut into pieces of random lengths, most of them short.
inline std::vector<std::string_view> fragments_of(std::string_view bytes, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string_view> pieces;
  while (!bytes.empty()) {
    const std::size_t longest = random.below(4) == 0 ? 200 : 8;
    const std::size_t length = std::min<std::size_t>(bytes.size(), 1 + random.below(longest));
    pieces.push_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return pieces;
}

inline std::vector<std::string_view> single_bytes_of(std::string_view bytes) {
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i < bytes.size(); ++i) pieces.push_back(bytes.substr(i, 1));
  return pieces;
}

/// What must hold, in every build.
inline void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace loadline::fuzz
