#include "engine/block_hashes.h"

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {
constexpr std::uint64_t chain_root = 0x6c6f61646c696e65ULL;
}

void hash_blocks(std::span<const std::uint32_t> tokens, std::int64_t block_size, std::vector<std::uint64_t>& hashes) {
  hashes.clear();
  const auto size = static_cast<std::size_t>(block_size);
  std::uint64_t chain = chain_root;
  for (std::size_t first = 0; first + size <= tokens.size(); first += size) {
    for (const std::uint32_t token : tokens.subspan(first, size)) chain = mix(chain ^ token);
    hashes.push_back(chain);
  }
}

void hash_recipe(const Prompt& prompt, std::span<const std::uint64_t> plan_blocks, std::uint32_t plan_block_size,
                 std::int64_t block_size, std::vector<std::uint64_t>& hashes) {
  hashes.clear();
  if (prompt.block_count == 0) return;
  check(prompt.first_block + prompt.block_count <= plan_blocks.size(), "a prompt's blocks lie inside the plan's");
  const auto wide = static_cast<std::int64_t>(plan_block_size);
  const std::int64_t shared = std::min(prompt.length.value(), prompt.block_count * wide);
  std::uint64_t chain = mix(chain_root, prompt.sharing_namespace);
  for (std::int64_t first = 0; first + block_size <= shared; first += block_size) {
    // Every stretch of a plan block that this block covers decides some of its tokens.
    for (std::int64_t at = first; at < first + block_size; at = (at / wide + 1) * wide) {
      const std::uint64_t id = plan_blocks[prompt.first_block + static_cast<std::uint64_t>(at / wide)];
      chain = mix(mix(chain, id) ^ static_cast<std::uint64_t>(at % wide));
    }
    hashes.push_back(chain);
  }
}

}  // namespace loadline
