#include "workload/session_blocks.h"

#include <algorithm>

#include "core/random.h"

namespace loadline {
namespace {

std::uint32_t blocks_for(Tokens length) {
  return static_cast<std::uint32_t>((length.value() + SessionBlocks::block_size - 1) / SessionBlocks::block_size);
}

}  // namespace

SessionBlocks::SessionBlocks(const Trace& trace, const LengthRule& rule) : longest_(trace.sessions.size()) {
  LengthRule lengths = rule;
  for (const TraceRow& row : trace.rows) {
    if (row.session == no_session) continue;
    if (row.session >= longest_.size()) longest_.resize(row.session + std::size_t{1});
    longest_[row.session] = std::max(longest_[row.session], lengths.prompt(row.prompt));
  }
}

BlockSpan SessionBlocks::of(SessionIndex session, std::uint32_t pass, Tokens length) {
  if (session == no_session) return {};
  const auto [place, is_new] = texts_.try_emplace(static_cast<std::uint64_t>(pass) << 32 | session);
  Text& text = place->second;
  if (is_new || length < text.length) begin(text, session);
  text.length = length;
  return {text.first_block, blocks_for(length)};
}

void SessionBlocks::begin(Text& text, SessionIndex session) {
  ++text.number;
  text.first_block = blocks_.size();
  // Room for the session's longest prompt, so that where an id lies does not depend on how many requests are drawn.
  for (std::uint32_t i = 0; i < blocks_for(longest_[session]); ++i) {
    blocks_.push_back(mix(mix(session, text.number), i));
  }
}

}  // namespace loadline
