#pragma once
// From hashes of text blocks to the block ids of a trace.

#include <cstdint>
#include <vector>

#include "core/trace.h"

namespace loadline {

enum class TextIdForm : std::uint8_t {
  numbers,  ///< from 0 in the order of first sight: for a trace that is whole, so that it holds no hash of a text
  hashes,   ///< as they are: for one file of several that are counted apart, where equal texts must keep equal ids
};

/// `trace.blocks` hold hashes of 128-byte blocks (text_blocks.h) of rows with `text_bytes` (by row, 0: no text) and
/// known lengths. They become ids of the given form, floor(prompt / block size) of them a row: the block size in tokens
/// is 128 times the tokens per byte of all rows with text, rounded. A text that is shorter than its prompt's tokens
/// suggest is filled up with ids of its own, a longer one is cut. Where lengths are unknown the ids are dropped.
void make_text_ids(const std::vector<std::int64_t>& text_bytes, TextIdForm form, Trace& trace);

}  // namespace loadline
