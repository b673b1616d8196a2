#pragma once
// What each row of a log repeats of the rows before it.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/trace.h"

namespace loadline {

/// True where the log tells which prompts share a beginning by block ids.
bool has_block_ids(const Trace& trace);

/// Hits where only sessions are known: a turn is taken to start with the prompt of the turn before in its session, and
/// to share nothing where it is shorter than that (the history was cut).
class SessionHits {
 public:
  /// Hit tokens of the next turn of `session`, any key that names it.
  Tokens take(std::uint64_t session, Tokens prompt);

 private:
  std::unordered_map<std::uint64_t, Tokens> before_;
};

/// Hit tokens of rows in the log's own order, by what the log tells (Trace::sharing): with hashes, leading block ids
/// that earlier rows have shown, with a cache that forgets nothing; with sessions, as SessionHits; else the logged
/// counts, over the rows that have one. The definitions are those of prefix/profile.h.
struct LogSharing {
  std::vector<std::optional<Tokens>> hits;  ///< one per row; absent where the row does not tell. Empty: nothing known
  std::optional<double> token_hit_rate;     ///< hit tokens / prompt tokens over the rows that tell
};
LogSharing log_sharing(const Trace& trace);

}  // namespace loadline
