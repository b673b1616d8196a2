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
