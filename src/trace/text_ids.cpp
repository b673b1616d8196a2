#include "trace/text_ids.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "trace/text_blocks.h"

namespace loadline {
namespace {

/// Tokens of a text block; 0 where no row with text has a length.
std::uint32_t text_block_tokens(const std::vector<std::int64_t>& text_bytes, const Trace& trace) {
  double tokens = 0, bytes = 0;
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    if (text_bytes[i] == 0) continue;
    tokens += static_cast<double>(trace.rows[i].prompt.value());
    bytes += static_cast<double>(text_bytes[i]);
  }
  if (tokens == 0 || bytes == 0) return 0;
  return static_cast<std::uint32_t>(std::max(1.0, std::round(TextBlocks::block_bytes * tokens / bytes)));
}

/// Ids of blocks that no text has.
std::uint64_t first_own_id(TextIdForm form) {
  if (form == TextIdForm::numbers) return 0;
  const TextKey random;
  std::uint64_t first = 0;
  std::memcpy(&first, random.bytes().data(), sizeof first);
  return first;
}

void drop_text_ids(Trace& trace) {
  trace.blocks.clear();
  for (TraceRow& row : trace.rows) row.first_block = row.block_count = 0;
}

}  // namespace

void make_text_ids(const std::vector<std::int64_t>& text_bytes, TextIdForm form, Trace& trace) {
  const std::uint32_t block_size = text_block_tokens(text_bytes, trace);
  if (block_size == 0) return drop_text_ids(trace);
  std::vector<std::uint64_t> ids;
  std::unordered_map<std::uint64_t, std::uint64_t> id_of;
  std::uint64_t next = first_own_id(form);
  const auto id_of_hash = [&](std::uint64_t hash) {
    if (form == TextIdForm::hashes) return hash;
    const auto [entry, is_new] = id_of.try_emplace(hash, next);
    if (is_new) ++next;
    return entry->second;
  };
  for (TraceRow& row : trace.rows) {
    const std::uint64_t first = ids.size();
    const auto wanted = static_cast<std::uint32_t>(row.prompt.value() / block_size);
    for (std::uint32_t k = 0; k < wanted; ++k) {
      if (k >= row.block_count) {
        ids.push_back(next++);  // text and tokens disagree: the rest is this row's alone
        continue;
      }
      ids.push_back(id_of_hash(trace.blocks[row.first_block + k]));
    }
    row.first_block = first;
    row.block_count = wanted;
  }
  trace.blocks = std::move(ids);
  trace.block_size = block_size;
  trace.partial_tail = false;
  trace.sharing = SharingOrigin::hashed;
}

}  // namespace loadline
