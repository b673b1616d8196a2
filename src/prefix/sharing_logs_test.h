#pragma once
// Logs of conversations for tests: rows with block ids as a reader would hand them over.

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/trace.h"
#include "prefix/sharing_summary.h"

namespace loadline {

struct SharedRow {
  TraceRow row;
  std::vector<std::uint64_t> ids;
};

struct ConversationShape {
  int requests = 1000;
  std::uint64_t conversations = 20;  ///< open at a time
  std::uint64_t longest_growth = 4;  ///< blocks a turn
  std::uint64_t beginnings = 3;      ///< system prompts
  std::uint64_t most_same_arrivals = 1;
};

/// Conversations that grow, some of them starting alike, in blocks of 16 tokens; a partly filled last block has an id.
inline std::vector<SharedRow> conversations(std::uint64_t seed, const ConversationShape& shape) {
  Random random(seed);
  std::vector<SharedRow> rows;
  std::vector<std::vector<std::uint64_t>> chains(shape.conversations);
  std::uint64_t next_id = seed << 32;
  Nanos now{};
  for (int i = 0; i < shape.requests; ++i) {
    std::vector<std::uint64_t>& chain = chains[random.below(chains.size())];
    if (chain.empty() || random.below(10) == 0) chain = {random.below(shape.beginnings)};
    for (std::uint64_t added = random.below(shape.longest_growth); added > 0; --added) chain.push_back(next_id++);
    if (random.below(shape.most_same_arrivals) == 0) now += Nanos(1 + random.below(1000));
    SharedRow& row = rows.emplace_back();
    row.row.arrival = now;
    row.row.prompt = Tokens(static_cast<std::int64_t>(chain.size() * 16 - random.below(16)));
    row.row.completion = Tokens(1);
    row.ids = chain;
  }
  return rows;
}

inline Trace facts_of_blocks(std::uint32_t block_size) {
  Trace facts;
  facts.sharing = SharingOrigin::hashed;
  facts.block_size = block_size;
  return facts;
}

inline SharingSummary sharing_of_rows(const std::vector<SharedRow>& rows, const Trace& facts,
                                      std::uint64_t memory_bytes = SharingSummary::default_memory_bytes) {
  SharingSummary summary(memory_bytes);
  for (const SharedRow& row : rows) summary.add(row.row, row.ids);
  summary.end_source(facts);
  return summary;
}

}  // namespace loadline
