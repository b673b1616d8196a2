#pragma once
// Puts one level together from what its shares tell, and decides its course. It knows neither threads nor machines:
// batches come in, the phase goes out.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/course.h"
#include "core/plan.h"
#include "fleet/batch.h"
#include "fleet/split_plan.h"

namespace loadline {

/// Merges the batches of all shares in order of time, a moment behind the slowest of them, and tells the course as if
/// one loop had run the level. What shares release after the course has finished, before they know of it, is in the
/// books like all else; the course is not told.
class Conductor {
 public:
  /// All outlive the conductor. `records.requests` has the plan's size. `count_text` is told of every text that came
  /// with a record, before the course is told of its end.
  Conductor(const Plan& plan, const std::vector<PlanShare>& shares, LevelCourse& course, LevelRecords& records,
            TextCount count_text = {});

  /// All shares start at `at`.
  void start(RunTime at);
  /// The next batch of a share.
  void add(std::size_t share, std::unique_ptr<Batch> batch);
  /// Tells the course everything that no share can precede any more, and returns the phase.
  Phase advance();
  /// All shares are over, and nothing happens any more but that time passes.
  Phase pass(RunTime now);
  /// Every share has sent its last batch.
  bool all_over() const;
  /// Whether the share has sent its last batch.
  bool is_over(std::size_t share) const { return shares_[share].over; }
  /// A share that will tell no more, because its machine is gone: what it had in flight is cut off there.
  void abandon(std::size_t share, RunTime at, std::string why);
  /// After `all_over` and the last `advance`: the end of the level, its window and its client.
  void finish(bool interrupted);

 private:
  struct Share {
    const std::vector<std::uint32_t>* plan_index = nullptr;
    std::deque<std::unique_ptr<Batch>> batches;
    std::size_t next_event = 0;         ///< in the first batch
    std::vector<std::uint32_t> serial;  ///< in the level, by the share's own
    RunTime up_to{};
    bool over = false;
    std::optional<std::string> gone;  ///< why it will tell no more
  };

  Share* earliest(RunTime horizon);
  void tell(Share& share);
  void close_abandoned(const Share& share);
  void take_release(Share& share, const ShareEvent& event);
  void take_record(const Share& share, const ShareEvent& event, Batch& batch);

  const Plan& plan_;
  LevelCourse& course_;
  LevelRecords& records_;
  TextCount count_text_;
  std::vector<Share> shares_;
  std::uint32_t released_ = 0;
  Phase phase_ = Phase::warming_up;
  RunTime told_up_to_{};
  bool started_ = false;
  std::vector<std::uint8_t> ended_;  ///< by serial of the level
  std::optional<ClientSelf> client_;
};

}  // namespace loadline
