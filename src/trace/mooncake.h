#pragma once
// Mooncake's published traces: JSON lines with `timestamp` (ms after the start), `input_length`, `output_length` and
// `hash_ids`, prefix-chained ids of blocks of 512 tokens. A partly filled last block has an id too, so a row whose
// number of ids is not ceil(input_length / 512) is refused: its sharing would be wrong.

#include "trace/format.h"

namespace loadline {

inline constexpr std::uint32_t mooncake_block_size = 512;  ///< tokens

bool is_mooncake(const LogHead& head);
void read_mooncake(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
