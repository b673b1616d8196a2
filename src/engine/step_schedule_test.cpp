#include "engine/step_schedule.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

WallTime wall_ms(std::int64_t ms) { return WallTime{} + std::chrono::milliseconds(ms); }

TEST(StepSchedule, catches_up_after_a_late_delivery) {
  StepSchedule schedule;
  schedule.begin(wall_ms(1000), std::chrono::milliseconds(10));
  EXPECT_EQ(schedule.end(), wall_ms(1010));
  schedule.delivered(wall_ms(1040));
  schedule.follow(std::chrono::milliseconds(10));
  EXPECT_EQ(schedule.end(), wall_ms(1020));
  schedule.delivered(wall_ms(1041));
  schedule.follow(std::chrono::milliseconds(30));
  EXPECT_EQ(schedule.end(), wall_ms(1050));
  EXPECT_EQ(schedule.worst(), std::chrono::milliseconds(30));
  EXPECT_EQ(schedule.slipped(), Nanos(0));
  EXPECT_EQ(schedule.slips(), 0u);
}

TEST(StepSchedule, slips_when_it_is_far_behind_and_keeps_account) {
  StepSchedule schedule;
  schedule.begin(wall_ms(0), std::chrono::milliseconds(10));
  schedule.delivered(wall_ms(61));
  schedule.follow(std::chrono::milliseconds(10));
  EXPECT_EQ(schedule.end(), wall_ms(71));
  schedule.delivered(wall_ms(171));
  EXPECT_EQ(schedule.slipped(), std::chrono::milliseconds(151));
  EXPECT_EQ(schedule.slips(), 2u);
  EXPECT_EQ(schedule.worst(), std::chrono::milliseconds(100));
  schedule.begin(wall_ms(500), std::chrono::milliseconds(10));
  EXPECT_EQ(schedule.end(), wall_ms(510));
}

}  // namespace
}  // namespace loadline
