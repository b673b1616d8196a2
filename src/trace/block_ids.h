#pragma once
// The ids of a prompt's blocks as JSON logs write them: an array of 64-bit numbers.

#include <simdjson.h>

#include <cstdint>

#include "trace/numbers.h"
#include "trace/trace_builder.h"

namespace loadline {

/// Adds base + id for each id of the array `value` to the builder's row. Ids count from 0: a negative one is out of
/// range, as is one that has no place in 64 bits. What was added before stays: the caller refuses the row.
simdjson::simdjson_result<NumberState> read_block_ids(simdjson::ondemand::value value, TraceBuilder& builder,
                                                      std::uint64_t base = 0);

/// Whether a prompt of `prompt` tokens has `count` ids, one a block, a partly filled last block too.
inline bool ids_cover(Tokens prompt, std::uint32_t block_size, std::uint64_t count) {
  return (static_cast<std::uint64_t>(prompt.value()) + block_size - 1) / block_size == count;
}
/// The same where a partly filled last block has none.
inline bool ids_fill(Tokens prompt, std::uint32_t block_size, std::uint64_t count) {
  return static_cast<std::uint64_t>(prompt.value()) / block_size == count;
}

}  // namespace loadline
