#pragma once
// A course that tells a recorder what the level's runner tells the course. Of what is cancelled at the end of the level
// the runner tells nobody: those records are handed over when it has returned.

#include <vector>

#include "app/recorder.h"
#include "core/course.h"

namespace loadline {

class RecordingCourse final : public LevelCourse {
 public:
  RecordingCourse(LevelCourse& course, Recorder& recorder) : course_(course), recorder_(recorder) {}
  void start(const LevelRecords& records, RunTime now) override;
  void released(std::uint32_t serial, RunTime now) override;
  void first_token(std::uint32_t serial, RunTime now) override { course_.first_token(serial, now); }
  void ended(std::uint32_t serial, RunTime now) override;
  Phase phase(RunTime now) override;
  std::optional<RunTime> wake_at() const override { return course_.wake_at(); }
  std::optional<RunTime> window_start() const override { return course_.window_start(); }
  std::optional<RunTime> window_end() const override { return course_.window_end(); }

  /// The level has ended: records nobody was told of, censored ones, go to the recorder.
  void hand_over_the_rest();

 private:
  void hand_over(std::uint32_t serial);

  LevelCourse& course_;
  Recorder& recorder_;
  const LevelRecords* records_ = nullptr;
  std::vector<bool> told_;  // by serial
  bool window_told_ = false;
};

}  // namespace loadline
