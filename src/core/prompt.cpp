#include "core/prompt.h"

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

void append_stretch(std::uint64_t key, std::int64_t count, const Vocabulary& vocabulary,
                    std::vector<std::uint32_t>& out) {
  Random random(key);
  for (std::int64_t i = 0; i < count; ++i) {
    // The bias of a multiply-shift over 2^32 is under 1e-5 for any vocabulary: prompts need to differ, not to be fair.
    const std::uint64_t draw = random.next() >> 32;
    out.push_back(vocabulary.first + static_cast<std::uint32_t>((draw * vocabulary.count) >> 32));
  }
}

}  // namespace

void append_prompt_tokens(const Prompt& prompt, std::span<const std::uint64_t> blocks, std::uint32_t block_size,
                          std::uint64_t salt, const Vocabulary& vocabulary, std::vector<std::uint32_t>& out) {
  check(vocabulary.count > 0, "a vocabulary has tokens");
  check(prompt.block_count == 0 || block_size > 0, "blocks have a size");
  check(prompt.first_block + prompt.block_count <= blocks.size(), "a prompt's blocks lie inside the plan's");
  std::int64_t left = prompt.length.value();
  const std::uint64_t shared = mix(salt, prompt.sharing_namespace);
  for (std::uint32_t j = 0; j < prompt.block_count && left > 0; ++j) {
    const std::int64_t count = std::min<std::int64_t>(left, block_size);
    append_stretch(mix(shared, blocks[prompt.first_block + j]), count, vocabulary, out);
    left -= count;
  }
  if (left > 0) append_stretch(mix(mix(salt, 0x6f776eULL), prompt.own), left, vocabulary, out);
}

}  // namespace loadline
