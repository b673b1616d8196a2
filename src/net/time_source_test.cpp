#include "net/time_source.h"

#include <gtest/gtest.h>
#include <time.h>

#include "core/error.h"

namespace loadline {
namespace {

TEST(SystemTime, StartsAtZeroAndNeverGoesBack) {
  SystemTime time;
  RunTime last = run_start;
  for (int i = 0; i < 1000; ++i) {
    const RunTime now = time.now();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(SystemTime, ConvertsEngineSpansToWallSpans) {
  SystemTime time(60);
  EXPECT_EQ(time.wall(std::chrono::seconds(60)), std::chrono::seconds(1));
  EXPECT_EQ(SystemTime(1).wall(Nanos(123)), Nanos(123));
  EXPECT_EQ(SystemTime(0.5).wall(Nanos::max()), Nanos::max());
  EXPECT_THROW(SystemTime(0), Error);
}

TEST(SystemTime, PlacesAKernelStampBetweenTheReadsAroundIt) {
  for (const double speed : {1.0, 10.0}) {
    SystemTime time(speed);
    for (int i = 0; i < 20; ++i) {
      const RunTime before = time.now();
      timespec t{};
      clock_gettime(CLOCK_REALTIME, &t);
      const RunTime after = time.now();
      const RunTime stamp = time.from_realtime(std::chrono::seconds(t.tv_sec) + Nanos(t.tv_nsec));
      const Nanos slack = std::chrono::milliseconds(20);  // loose: a busy machine may pause between any two reads
      EXPECT_GE(stamp, before - slack);
      EXPECT_LE(stamp, after + slack);
    }
    EXPECT_FALSE(time.clock_stepped());
  }
}

TEST(SystemTime, IsOneClockForAllThatShareAStart) {
  for (const double speed : {1.0, 10.0}) {
    SystemTime first(speed);
    SystemTime second(speed, first.monotonic_start());
    for (int i = 0; i < 100; ++i) {  // each reads after the other
      const RunTime a = first.now(), b = second.now(), c = first.now();
      EXPECT_LE(a, b);
      EXPECT_LE(b, c);
    }
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    const Nanos stamp = std::chrono::seconds(t.tv_sec) + Nanos(t.tv_nsec);
    const Nanos apart = first.from_realtime(stamp) - second.from_realtime(stamp);
    EXPECT_LT(apart, Nanos(std::chrono::milliseconds(20)));
    EXPECT_GT(apart, -Nanos(std::chrono::milliseconds(20)));
    EXPECT_FALSE(second.clock_stepped());
  }
}

TEST(SystemTime, IsBelowZeroBeforeAStartThatLiesAhead) {
  const Nanos hour = std::chrono::hours(1), before = SystemTime::monotonic_now();
  SystemTime time(2.0, before + hour);
  EXPECT_GE(time.now(), RunTime(-2 * hour));
  EXPECT_LT(time.now(), run_start);
}

TEST(SimulatedTime, MovesOnlyWhenTold) {
  SimulatedTime time;
  EXPECT_EQ(time.now(), run_start);
  time.advance(Nanos(5));
  EXPECT_EQ(time.now(), run_time(5));
  time.set(run_time(100));
  EXPECT_EQ(time.now(), run_time(100));
}

}  // namespace
}  // namespace loadline
