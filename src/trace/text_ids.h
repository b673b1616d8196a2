#pragma once
// From hashes of text blocks to the block ids of a trace.

#include <cstdint>
#include <vector>

#include "core/trace.h"

namespace loadline {

/// `trace.blocks` hold hashes of 128-byte blocks (text_blocks.h) of rows with `text_bytes` (by row, 0: no text) and
/// known lengths. They become ids that count from 0 in the order of first sight, and floor(prompt / block size) of them
/// a row: the block size in tokens is 128 times the tokens per byte of all rows with text, rounded. A text that is
/// shorter than its prompt's tokens suggest is filled up with ids of its own, a longer one is cut. Where lengths are
/// unknown the ids are dropped.
/// `import_salt`: 0, or mixed into all ids, so that they are numbers that no other import has.
void make_text_ids(const std::vector<std::int64_t>& text_bytes, std::uint64_t import_salt, Trace& trace);

}  // namespace loadline
