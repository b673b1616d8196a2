#pragma once
// The course of requests that only fill a cache: all of them, and nothing is measured.

#include "core/course.h"

namespace loadline {

class WarmingCourse final : public LevelCourse {
 public:
  explicit WarmingCourse(std::size_t requests) : left_(requests) {}
  void start(const LevelRecords&, RunTime) override {}
  void released(std::uint32_t, RunTime) override {}
  void first_token(std::uint32_t, RunTime) override {}
  void ended(std::uint32_t, RunTime) override { --left_; }
  Phase phase(RunTime) override { return left_ > 0 ? Phase::warming_up : Phase::finished; }
  std::optional<RunTime> wake_at() const override { return std::nullopt; }
  std::optional<RunTime> window_start() const override { return std::nullopt; }
  std::optional<RunTime> window_end() const override { return std::nullopt; }

 private:
  std::size_t left_;
};

}  // namespace loadline
