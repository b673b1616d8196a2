#pragma once
// Request bodies rendered ahead of their release, so that no rendering stands between a due time and its send.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "load/run_level.h"

namespace loadline {

class PreparedBodies {
 public:
  /// Keeps bodies ready: of the requests that wait for no other up to `most`, in plan order; and of announced turns.
  /// All together at most `memory_limit` bytes, half of it for each kind where the plan has both, and always at least
  /// one of each.
  PreparedBodies(const Plan& plan, const BodyWriter& write_body, std::size_t most,
                 std::size_t memory_limit = std::size_t{64} << 20);

  /// `turn` (an AfterTurn of the plan) waits for a request that is under way, and is due at `earliest_due` or later. It
  /// is rendered from some seconds before that on.
  void announce(std::uint32_t turn, RunTime earliest_due);
  /// Whether there is something to prepare and room for it.
  bool wants_more(RunTime now) const { return wants_turn(now) || wants_opening(); }
  /// Renders the next body, of a turn before others. Only when it wants more.
  void prepare_one(RunTime now);
  /// The body of request `plan_index`, each once; those that wait for no other in plan order. Rendered now if it was
  /// not ready.
  std::string take(std::uint32_t plan_index);
  /// Memory to use again.
  void give_back(std::string&& body);

 private:
  struct WaitingTurn {
    RunTime earliest_due{};
    std::uint32_t plan_index = 0;
    auto operator<=>(const WaitingTurn&) const = default;
  };
  struct Opening {
    std::size_t plan_index = 0;
    std::string body;
  };
  struct AnnouncedTurn {
    RunTime earliest_due{};
    bool is_ready = false;
    std::string body;
  };

  bool wants_turn(RunTime now) const;
  bool wants_opening() const;
  void prepare_turn();
  std::string take_opening(std::uint32_t plan_index);
  std::string take_turn(std::uint32_t plan_index);
  std::string render(std::size_t plan_index);

  const Plan& plan_;
  const BodyWriter& write_body_;
  std::size_t most_, memory_limit_;  ///< the limit of each kind
  std::size_t next_;                 ///< the first request that waits for no other and is not ready
  std::deque<Opening> openings_;     ///< ready, in plan order
  std::size_t opening_bytes_ = 0;
  std::unordered_map<std::uint32_t, AnnouncedTurn> turns_;  ///< by plan index
  std::set<WaitingTurn> waiting_;                           ///< announced turns that are not ready
  std::size_t turn_bytes_ = 0;
  std::vector<std::string> spare_;
};

}  // namespace loadline
