#pragma once
// From a prompt's recipe to its token ids. Pure: the same recipe and salt give the same tokens everywhere.

#include <cstdint>
#include <span>
#include <vector>

#include "core/request.h"

namespace loadline {

/// Token ids that may be used: [first, first + count). Never special tokens.
struct Vocabulary {
  std::uint32_t first = 1000;
  std::uint32_t count = 20000;
};

/// Appends exactly `prompt.length` tokens to `out`. Block j of `blocks` covers tokens
/// [j * block_size, (j + 1) * block_size) of the prompt, cut at its length; tokens beyond the last block are
/// decided by `prompt.own`. `blocks` is the whole array that prompt.first_block points into.
void append_prompt_tokens(const Prompt& prompt, std::span<const std::uint64_t> blocks, std::uint32_t block_size,
                          std::uint64_t salt, const Vocabulary& vocabulary, std::vector<std::uint32_t>& out);

}  // namespace loadline
