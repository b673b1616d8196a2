#pragma once
// Block ids for logs that name sessions but no blocks: what a session's turns repeat of one another.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/request.h"
#include "core/trace.h"
#include "workload/length_rule.h"
#include "workload/shared_blocks.h"

namespace loadline {

/// A turn starts with the whole prompt of the turn before in its session, and shares nothing where it is shorter than
/// that (log_sharing.h, SessionHits). So the prompts of a session are beginnings of one text, until one is shorter:
/// with it another text begins. All prompts of a text point to the same ids; a partly filled last block has one.
class SessionBlocks {
 public:
  /// Tokens a block: shared tokens are exact whatever it is, for equal ids give equal tokens up to where a prompt ends.
  static constexpr std::uint32_t block_size = 64;

  SessionBlocks(const Trace& trace, const LengthRule& rule);

  /// The blocks of the next turn of `session` (of the trace) in `pass`, a prompt of `length` tokens.
  BlockSpan of(SessionIndex session, std::uint32_t pass, Tokens length);
  /// All ids made; leaves this object empty.
  std::vector<std::uint64_t> take() { return std::move(blocks_); }

 private:
  /// What the last turn of a session has left.
  struct Text {
    Tokens length{};
    std::uint32_t number = 0;
    std::uint64_t first_block = 0;
  };
  void begin(Text& text, SessionIndex session);

  std::vector<Tokens> longest_;  ///< by session, as sent
  std::unordered_map<std::uint64_t, Text> texts_;
  std::vector<std::uint64_t> blocks_;
};

}  // namespace loadline
