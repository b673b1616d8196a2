#pragma once
// The shares that other ranks carry, as rank 0 sees them: given away, started, listened to, and missed when their
// machine is gone.

#include <optional>
#include <string>
#include <vector>

#include "fleet/clock_alignment.h"
#include "fleet/communicator.h"
#include "fleet/conductor.h"
#include "fleet/message_codec.h"
#include "fleet/split_plan.h"

namespace loadline {

/// Which rank carries a share: they go round, so that all machines carry alike.
inline int rank_of_share(std::size_t share, int ranks) {
  return static_cast<int>(share % static_cast<std::size_t>(ranks));
}

class RemoteShares {
 public:
  /// Aligns the clocks of all ranks with this one's. Throws Error naming a rank that does not answer.
  explicit RemoteShares(Communicator& ranks);
  /// Tells the ranks that the run is over.
  ~RemoteShares();
  RemoteShares(const RemoteShares&) = delete;
  RemoteShares& operator=(const RemoteShares&) = delete;

  /// What that rank's CLOCK_MONOTONIC read when this one's read `ours`, as the clocks stood at the start.
  Nanos on_its_clock(int rank, Nanos ours) const;

  /// Aligns the clocks anew and gives the shares away that are not rank 0's own.
  void carry(const Plan& whole, const std::vector<PlanShare>& shares);
  /// Takes what has come; batches go to the conductor, once the level has started.
  void listen(Conductor& conductor);
  /// Whether every share's connections are open.
  bool all_ready() const { return ready_ >= given_; }
  void start(RunTime at);
  /// Tells the phase and the window, when the phase is another.
  void publish(Phase phase, const LevelCourse& course);
  /// What has gone wrong on another rank since `carry`, in one sentence; that rank's shares are abandoned.
  std::optional<std::string> trouble(Conductor& conductor, RunTime now);
  /// A rank that has not spoken for longer than a living one ever is silent, in one sentence.
  std::optional<std::string> silent_rank() const;
  /// Whatever is still out is not waited for.
  void abandon_all(Conductor& conductor, RunTime now, const std::string& why);

  /// How far apart the clocks of two ranks may be at most after alignment, of the worst rank: half the shortest round
  /// trip and half the spread of the best ones. Absent without another rank.
  std::optional<Nanos> clock_residual() const;
  int ranks() const { return ranks_.size(); }

 private:
  struct Peer {
    ClockOffset first, latest;
    /// How much its run clock, which stands as it did at the start, is ahead of this one's now.
    Nanos ahead() const { return latest.offset - first.offset; }
  };

  ClockOffset align(int rank);
  void send(int rank, const FleetMessage& message);
  void take(int from, FleetMessage message, Conductor& conductor);
  void abandon_rank(int rank, Conductor& conductor, RunTime now, const std::string& why);

  Communicator& ranks_;
  std::vector<Peer> peers_;  ///< by rank; 0 is this one
  std::uint32_t level_ = 0;
  std::size_t shares_ = 0;  ///< of the level, over all ranks
  std::size_t given_ = 0, ready_ = 0;
  Phase told_ = Phase::warming_up;
  std::optional<std::string> failure_;
};

}  // namespace loadline
