#pragma once
// The course of one share: it decides nothing. It collects what happens for the conductor and passes on the phase that
// the conductor has published.

#include <memory>

#include "core/course.h"
#include "fleet/batch.h"

namespace loadline {

class ShareCourse final : public LevelCourse {
 public:
  /// All outlive the course. `records`: those of the share's own level. `interval`: run time between batches.
  ShareCourse(LevelRecords& records, BatchSlot& slot, const LevelBoard& board, Nanos interval);

  void start(const LevelRecords& records, RunTime now) override;
  void released(std::uint32_t serial, RunTime now) override;
  void first_token(std::uint32_t serial, RunTime now) override;
  void ended(std::uint32_t serial, RunTime now) override;
  Phase phase(RunTime now) override;
  /// The next batch; nothing once the share's plan is used up and answered: then its loop may end.
  std::optional<RunTime> wake_at() const override;
  std::optional<RunTime> window_start() const override { return std::nullopt; }
  std::optional<RunTime> window_end() const override { return std::nullopt; }

  /// The level is over: the last batch, with what nobody was told of (cancelled requests). Waits until it has room, or
  /// nobody takes batches any more (LevelBoard::failed).
  void finish();

 private:
  void add(ShareEvent::Kind kind, std::uint32_t serial, RunTime now);
  void add_record(ShareEvent::Kind kind, std::uint32_t serial, RunTime now);
  void hand_over(RunTime now);

  LevelRecords& records_;
  BatchSlot& slot_;
  const LevelBoard& board_;
  Nanos interval_;
  RunTime next_batch_{};
  std::unique_ptr<Batch> batch_;
  std::vector<bool> told_;  ///< by serial: its end
  std::size_t ended_ = 0;
};

}  // namespace loadline
