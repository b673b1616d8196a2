#include "fleet/clock_alignment.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"

namespace loadline {
namespace {

/// Sent at `sent`, the other's clock being ahead by `ahead`, ways of `there` and `back`.
ClockSample trip(Nanos sent, Nanos ahead, Nanos there, Nanos back) {
  return {sent, sent + there + ahead, sent + there + back};
}

TEST(ClockAlignment, OfOneSymmetricTripIsExact) {
  const auto offset = clock_offset(std::vector{trip(Nanos(1000), Nanos(500'000), Nanos(40), Nanos(40))});
  ASSERT_TRUE(offset);
  EXPECT_EQ(offset->offset, Nanos(500'000));
  EXPECT_EQ(offset->half_round_trip, Nanos(40));
  EXPECT_EQ(offset->spread, Nanos(0));
  EXPECT_EQ(offset->samples, 1U);
}

TEST(ClockAlignment, NoTripNoOffset) { EXPECT_FALSE(clock_offset({})); }

TEST(ClockAlignment, ThereAndBackAgain) {
  const ClockOffset offset{Nanos(-700)};
  EXPECT_EQ(offset.to_theirs(Nanos(1000)), Nanos(300));
}

TEST(ClockAlignment, OneWayTripsBoundTheErrorByHalfTheRoundTrip) {
  // All of the way lies in one direction: the worst that can be.
  for (const auto& [there, back] : {std::pair(Nanos(600), Nanos(0)), std::pair(Nanos(0), Nanos(600))}) {
    const auto offset = clock_offset(std::vector{trip(Nanos(0), Nanos(-9000), there, back)});
    EXPECT_EQ(offset->half_round_trip, Nanos(300));
    EXPECT_EQ(std::chrono::abs(offset->offset - Nanos(-9000)), Nanos(300));
  }
}

TEST(ClockAlignment, QueuesDoNotMoveIt) {
  // 400 trips of 20 us each way, of which nine in ten meet a queue of up to 5 ms on one of the ways.
  const Nanos ahead(123'456'789'012);
  Random random(7);
  std::vector<ClockSample> samples;
  for (int i = 0; i < 400; ++i) {
    const Nanos there(20'000 + static_cast<std::int64_t>(100 * random.uniform()));
    const Nanos queue(i % 10 == 0 ? 0 : static_cast<std::int64_t>(5e6 * random.uniform()));
    const bool on_the_way_back = i % 3 == 0;
    samples.push_back(trip(std::chrono::milliseconds(i), ahead, on_the_way_back ? there : there + queue,
                           on_the_way_back ? there + queue : there));
  }
  const auto offset = clock_offset(samples);
  EXPECT_LE(std::chrono::abs(offset->offset - ahead), Nanos(100));
  EXPECT_LE(offset->half_round_trip, Nanos(20'100));
  EXPECT_LE(offset->spread, Nanos(100)) << "of the shortest trips only";
  EXPECT_EQ(offset->samples, 400U);
}

TEST(ClockAlignment, SpreadIsHalfTheRangeOfTheTenShortest) {
  std::vector<ClockSample> samples;
  for (int i = 0; i < 10; ++i) samples.push_back(trip(Nanos(0), Nanos(0), Nanos(100 + i), Nanos(100)));
  samples.push_back(trip(Nanos(0), Nanos(0), Nanos(9000), Nanos(100)));  // longer: does not count
  const auto offset = clock_offset(samples);
  EXPECT_EQ(offset->offset, Nanos(0));
  EXPECT_EQ(offset->spread, Nanos(2));  // the slowest of the ten: 109 there, 100 back, read as 5 (of 4.5) ahead
}

}  // namespace
}  // namespace loadline
