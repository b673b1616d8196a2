#include "workload/shared_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

std::uint32_t scaled_block_size(std::uint32_t logged, double factor) {
  if (logged == 0) return 0;
  const double size = std::max(1.0, std::round(logged * factor));
  check(size <= std::numeric_limits<std::uint32_t>::max(), "a scaled block has a countable size");
  return static_cast<std::uint32_t>(size);
}

}  // namespace

SharedBlocks::SharedBlocks(const Trace& trace, double factor)
    : trace_(trace), factor_(factor), block_size_(scaled_block_size(trace.block_size, factor)) {}

BlockSpan SharedBlocks::of(std::uint64_t row, Tokens length) {
  const TraceRow& logged = trace_.rows[row];
  if (logged.block_count == 0) return {};
  const auto [place, is_new] = copied_.try_emplace(row);
  if (is_new) place->second = copy(logged, length);
  return place->second;
}

// The number, within its row, of the logged block that holds the last of `scaled_end` scaled tokens.
std::uint64_t SharedBlocks::logged_block(const TraceRow& row, std::int64_t scaled_end) const {
  const double end = std::min(static_cast<double>(scaled_end) / factor_, static_cast<double>(row.prompt.value()));
  // The tiny step down keeps ends that fall on a block's edge inside that block in spite of rounding.
  const double blocks = std::ceil(end / trace_.block_size - 1e-9);
  return static_cast<std::uint64_t>(std::max(blocks, 1.0)) - 1;
}

BlockSpan SharedBlocks::copy(const TraceRow& row, Tokens length) {
  check(trace_.block_size > 0, "a trace with block ids has a block size");
  check(row.first_block + row.block_count <= trace_.blocks.size(), "a row's blocks lie inside the trace's");
  BlockSpan span{blocks_.size(), 0};
  std::uint64_t previous = row.block_count, repeats = 0;
  for (std::int64_t start = 0; start < length.value(); start += block_size_) {
    const std::uint64_t block = logged_block(row, std::min(start + block_size_, length.value()));
    if (block >= row.block_count) break;
    repeats = block == previous ? repeats + 1 : 0;
    previous = block;
    const std::uint64_t id = trace_.blocks[row.first_block + block];
    blocks_.push_back(repeats == 0 ? id : mix(id, repeats));
    ++span.count;
  }
  return span;
}

}  // namespace loadline
