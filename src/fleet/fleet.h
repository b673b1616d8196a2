#pragma once
// Runs levels on many threads, of this machine and of others: a share of the plan each, one conductor. It knows neither
// HTTP nor statistics.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/course.h"
#include "core/plan.h"
#include "core/record.h"
#include "fleet/conductor.h"
#include "fleet/remote_shares.h"
#include "fleet/share_thread.h"

namespace loadline {

class Fleet {
 public:
  /// `threads` I/O threads on each rank, at least one; a level takes no more of them than it has users. `time` is the
  /// conductor's own clock, of the same start as those that `maker` makes. `others`: the shares of other ranks, each of
  /// which serves a Relay with as many threads; null where this process is alone. Both outlive the fleet.
  Fleet(ClientMaker maker, std::size_t threads, TimeSource& time, RemoteShares* others = nullptr);

  /// Runs one level and blocks until the course says finished, the plan is used up and answered, or `interrupted` is
  /// set. Like Client::run_level, but for these: the course is told some milliseconds late, and requests that were
  /// released in these milliseconds after its end are in the records too, cancelled. The calling thread conducts.
  /// Where another rank is lost the level ends at once, as interrupted, with what was told until then.
  void run_level(const Plan& plan, LevelCourse& course, LevelRecords& records, const std::atomic<bool>& interrupted);

  /// Another rank was lost: which, in one sentence. No further level can be run.
  const std::optional<std::string>& lost() const { return lost_; }

 private:
  struct RunningLevel;
  void begin(RunningLevel& level);
  void agree_start(RunningLevel& level);
  void conduct(RunningLevel& level);
  void end_threads(RunningLevel& level);
  void watch_others(RunningLevel& level);
  void wait_for_course(RunningLevel& level);
  int ranks() const { return others_ != nullptr ? others_->ranks() : 1; }
  bool is_local(std::size_t share) const { return rank_of_share(share, ranks()) == 0; }
  ShareThread& thread_of(std::size_t share) { return *threads_[share / static_cast<std::size_t>(ranks())]; }

  ClientMaker maker_;
  TimeSource& time_;
  RemoteShares* others_;
  std::vector<std::unique_ptr<ShareThread>> threads_;
  std::optional<std::string> lost_;
};

}  // namespace loadline
