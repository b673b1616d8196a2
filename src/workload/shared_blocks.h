#pragma once
// The block ids of the drawn rows, copied into the workload: only those used, each row's once.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/request.h"
#include "core/trace.h"

namespace loadline {

/// Where a row's blocks lie in the workload.
struct BlockSpan {
  std::uint64_t first = 0;
  std::uint32_t count = 0;
};

/// Copies and scales blocks.
///
/// Scaling keeps the sharing: a scaled block holds max(1, round(block_size * factor)) tokens and takes the id
/// of the logged block in which its last token lies. Ids are prefix-chained (equal id: all before is equal),
/// so two prompts that shared s tokens share s * factor, less a part of one block. A scaled block whose last
/// token lies beyond the logged ids, and all after it, are the request's own. Where several scaled blocks of
/// one prompt fall into one logged block, all but the first get an id made from it and their number.
class SharedBlocks {
 public:
  SharedBlocks(const Trace& trace, double factor);

  /// Tokens a block, scaled; 0 where the trace has no hashes.
  std::uint32_t block_size() const { return block_size_; }
  /// The blocks of `row` for a prompt of `length` tokens (scaled and cut). A row has one length, always.
  BlockSpan of(std::uint64_t row, Tokens length);
  /// All blocks copied; leaves this object empty.
  std::vector<std::uint64_t> take() { return std::move(blocks_); }

 private:
  BlockSpan copy(const TraceRow& row, Tokens length);
  std::uint64_t logged_block(const TraceRow& row, std::int64_t scaled_end) const;

  const Trace& trace_;
  double factor_;
  std::uint32_t block_size_ = 0;
  std::vector<std::uint64_t> blocks_;
  std::unordered_map<std::uint64_t, BlockSpan> copied_;  ///< by row
};

}  // namespace loadline
