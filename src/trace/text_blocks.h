#pragma once
// A prompt's text as block ids: what a prefix cache would see of it, with nothing of the text left. Blocks of 128 bytes
// are chained (a block's id depends on all before it) under SipHash with a key that is made for one import and never
// leaves the process; the ids are numbered anew afterwards, so that a trace holds no hash of a text either.

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace loadline {

/// 128 bits of the system's randomness. All sources of one import share it.
class TextKey {
 public:
  TextKey();
  const std::array<unsigned char, 16>& bytes() const { return bytes_; }

 private:
  std::array<unsigned char, 16> bytes_{};
};

class TextBlocks {
 public:
  static constexpr std::size_t block_bytes = 128;

  explicit TextBlocks(const TextKey& key);
  ~TextBlocks();
  TextBlocks(TextBlocks&&) noexcept;
  TextBlocks& operator=(TextBlocks&&) noexcept;

  /// Forgets the text so far: a new prompt begins.
  void clear();
  /// The prompt goes on with `piece`. Appends the ids of the blocks that are full now to `ids`.
  void add(std::string_view piece, std::vector<std::uint64_t>& ids);
  /// UTF-8 characters and bytes since clear().
  std::int64_t characters() const { return characters_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  std::uint64_t hash_block(std::string_view block);

  struct Mac;
  std::unique_ptr<Mac> mac_;
  std::array<char, block_bytes> held_{};
  std::size_t held_size_ = 0;
  std::uint64_t chain_ = 0;
  std::int64_t characters_ = 0, bytes_ = 0;
};

}  // namespace loadline
