// Every byte of a log passes here, so it must cost little beside the parsing: eight chains of one wide multiplication
// each, whose halves are folded together, for 128 bytes a round. (The folded product as a hash step: Yi, wyhash.)

#include "trace/byte_fingerprint.h"

#include <algorithm>
#include <cstring>

namespace loadline {
namespace {

__extension__ using WideProduct = unsigned __int128;

/// Digits of pi, one number a lane.
constexpr std::array<std::uint64_t, 8> lane_keys{0x243f6a8885a308d3ULL, 0x13198a2e03707345ULL, 0xa4093822299f31d1ULL,
                                                 0x082efa98ec4e6c89ULL, 0x452821e638d01377ULL, 0xbe5466cf34e90c6dULL,
                                                 0xc0ac29b7c97c50ddULL, 0x3f84d5b5b5470917ULL};

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  const WideProduct product = static_cast<WideProduct>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t word_at(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

void ByteFingerprint::add_stripes(std::span<const char> bytes, Lanes& lanes) {
  Lanes state = lanes;  // in registers
  for (std::size_t at = 0; at + stripe_bytes <= bytes.size(); at += stripe_bytes) {
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const char* const words = bytes.data() + at + 16 * lane;
      // The sum keeps a word that happens to equal its key from wiping out all that came before.
      state[lane] = folded_product(word_at(words) ^ lane_keys[lane], word_at(words + 8) ^ state[lane]) + state[lane];
    }
  }
  lanes = state;
}

void ByteFingerprint::add(std::span<const char> bytes) {
  bytes_ += bytes.size();
  if (held_size_ > 0) {
    const std::size_t count = std::min(bytes.size(), stripe_bytes - held_size_);
    std::copy_n(bytes.data(), count, held_.data() + held_size_);
    held_size_ += count;
    bytes = bytes.subspan(count);
    if (held_size_ < stripe_bytes) return;
    add_stripes(held_, lanes_);
  }
  const std::size_t whole = bytes.size() / stripe_bytes * stripe_bytes;
  add_stripes(bytes.first(whole), lanes_);
  held_.fill(0);
  held_size_ = bytes.size() - whole;
  std::copy_n(bytes.data() + whole, held_size_, held_.data());
}

SourceFingerprint ByteFingerprint::of_all() const {
  Lanes lanes = lanes_;
  add_stripes(held_, lanes);
  std::uint64_t hash = bytes_;
  for (const std::uint64_t lane : lanes) hash = folded_product(hash ^ lane_keys[0], lane ^ lane_keys[1]) + lane;
  return {bytes_, hash};
}

}  // namespace loadline
