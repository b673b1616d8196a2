#pragma once
// What ranks tell one another, and its bytes. Pure. It knows no sender and no receiver.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/plan.h"
#include "fleet/batch.h"

namespace loadline {

/// A share that another rank is to carry. Its plan has the blocks that it names (self_contained).
struct RemoteShare {
  std::uint32_t share = 0;  ///< of the level, counted over all ranks
  Plan plan;
};

/// Rank 0: carry these in the next level, open connections for them and say SharesReady. Empty: this rank has none.
struct CarryShares {
  std::uint32_t level = 0;  ///< Plan::ordinal
  std::vector<RemoteShare> shares;
};
/// To rank 0: the connections of so many shares are open.
struct SharesReady {
  std::uint32_t level = 0;
  std::uint32_t shares = 0;
};
/// Rank 0: the level starts when the receiver's run clock reads `at`.
struct StartLevel {
  std::uint32_t level = 0;
  RunTime at{};
};
/// Rank 0: the level's phase is this from now on, and its window this, as far as it is known; by the receiver's run
/// clock.
struct LevelPhase {
  std::uint32_t level = 0;
  Phase phase = Phase::warming_up;
  std::optional<RunTime> window_start{}, window_end{};
};
/// Rank 0: the run is over. `why` is empty where it ended well.
struct EndRun {
  std::string why;
};
/// To rank 0: this rank's shares cannot go on.
struct SharesFailed {
  std::uint32_t level = 0;
  std::string why;
};
/// To rank 0: what happened on a share.
struct ShareBatch {
  std::uint32_t level = 0;
  std::uint32_t share = 0;
  Batch batch;
};

using FleetMessage = std::variant<CarryShares, SharesReady, StartLevel, LevelPhase, EndRun, SharesFailed, ShareBatch>;

/// Enters every message; to be raised with every change of a layout.
inline constexpr std::uint8_t fleet_message_version = 2;

/// A request that ended well takes some 80 bytes and three for each of its gaps.
std::string encode(const FleetMessage& message);

/// Throws Error where `bytes` are no such message, of another version, or name what is not there: a block, a record, a
/// gap, a turn before.
FleetMessage decode(std::string_view bytes);

/// Moves every instant of the batch by `span`: from the run clock of another machine to that of this one.
void shift_instants(Batch& batch, Nanos span);

}  // namespace loadline
