#pragma once
// The course of one load of a calibration: a warm-up, a window, the end. What is in flight then is cut off.

#include <functional>

#include "core/course.h"

namespace loadline {

class CalibrateCourse final : public LevelCourse {
 public:
  /// `at_edge` is called when the window opens and when it closes.
  CalibrateCourse(Nanos warmup, Nanos duration, std::function<void()> at_edge)
      : warmup_(warmup), duration_(duration), at_edge_(std::move(at_edge)) {}

  void start(const LevelRecords&, RunTime now) override { start_ = now; }
  void released(std::uint32_t, RunTime) override {}
  void first_token(std::uint32_t, RunTime) override {}
  void ended(std::uint32_t, RunTime) override {}
  Phase phase(RunTime now) override {
    if (!opened_ && now >= start_ + warmup_) {
      opened_ = true;
      at_edge_();
    }
    if (opened_ && !closed_ && now >= end()) {
      closed_ = true;
      at_edge_();
    }
    return closed_ ? Phase::finished : opened_ ? Phase::measuring : Phase::warming_up;
  }
  std::optional<RunTime> wake_at() const override { return opened_ ? end() : start_ + warmup_; }
  std::optional<RunTime> window_start() const override {
    return opened_ ? std::optional(start_ + warmup_) : std::nullopt;
  }
  std::optional<RunTime> window_end() const override { return closed_ ? std::optional(end()) : std::nullopt; }

 private:
  RunTime end() const { return start_ + warmup_ + duration_; }

  Nanos warmup_, duration_;
  std::function<void()> at_edge_;
  RunTime start_{};
  bool opened_ = false, closed_ = false;
};

}  // namespace loadline
