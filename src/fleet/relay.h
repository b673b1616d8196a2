#pragma once
// What a rank other than 0 does: it carries the shares that rank 0 gives it, on threads of its own, and passes on what
// they tell. It decides nothing.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "fleet/communicator.h"
#include "fleet/message_codec.h"
#include "fleet/share_thread.h"

namespace loadline {

/// Who keeps what this rank measured, so that it stays when others die.
class PartSink {
 public:
  virtual ~PartSink() = default;
  /// `level`: this rank's part of it. `started` by this rank's run clock.
  virtual void level_started(std::uint32_t ordinal, const Level& level, RunTime started) = 0;
  /// The window, as far as it is known now.
  virtual void window(std::optional<RunTime> start, std::optional<RunTime> end) = 0;
  /// What happened on one of this rank's shares.
  virtual void happened(std::uint32_t share, const Batch& batch) = 0;
  virtual void level_ended(RunTime ended, bool interrupted) = 0;
};

class Relay {
 public:
  /// All outlive the relay.
  Relay(ClientMaker maker, std::size_t threads, TimeSource& time, Communicator& ranks, PartSink& sink);

  /// Carries levels until rank 0 ends the run, or `interrupted` is set. Throws Error where rank 0 is gone, or says why
  /// it ended the run badly.
  void serve(const std::atomic<bool>& interrupted);

 private:
  void carry(CarryShares message, const std::atomic<bool>& interrupted);
  void pass_on(std::size_t thread, std::uint32_t level, std::uint32_t share);
  void obey(LevelBoard& board, std::uint32_t level, const std::vector<PlanShare>& shares);
  void tell(const FleetMessage& message);
  bool has_lost_rank_0() const;

  ClientMaker maker_;
  TimeSource& time_;
  Communicator& ranks_;
  PartSink& sink_;
  std::vector<std::unique_ptr<ShareThread>> threads_;
  std::vector<bool> over_;  ///< by thread, in the level at hand
  bool started_ = false;    ///< the sink was told of the level
  std::optional<EndRun> end_;
};

}  // namespace loadline
