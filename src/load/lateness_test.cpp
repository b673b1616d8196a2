#include "load/lateness.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Lateness, GivesQuantilesToOneStep) {
  Lateness lateness;
  EXPECT_FALSE(lateness.quantile_ms(0.5));
  EXPECT_FALSE(lateness.max_ms());
  for (int i = 1; i <= 1000; ++i) lateness.record(Nanos(i * 10'000));  // 0.01 to 10 ms
  EXPECT_NEAR(*lateness.quantile_ms(0.50), 5.0, 5.0 / 64);
  EXPECT_NEAR(*lateness.quantile_ms(0.99), 9.9, 9.9 / 64);
  EXPECT_DOUBLE_EQ(*lateness.max_ms(), 10.0);
  EXPECT_LE(*lateness.quantile_ms(1.0), 10.0);
  lateness.record(Nanos(-5));
  lateness.record(std::chrono::hours(10));
  EXPECT_DOUBLE_EQ(*lateness.max_ms(), 36'000'000.0);
}

TEST(Lateness, NeverUnderstates) {
  for (const std::int64_t units : {0LL, 1LL, 63LL, 64LL, 127LL, 128LL, 12'345LL, 999'999'999LL}) {
    Lateness lateness;
    lateness.record(Nanos(units * 100));
    lateness.record(std::chrono::hours(1));  // so that the maximum does not cap the first
    const double ms = static_cast<double>(units) * 1e-4;
    EXPECT_GE(*lateness.quantile_ms(0.5) + 1e-12, ms);
    EXPECT_LE(*lateness.quantile_ms(0.5), ms * (1 + 1.0 / 64) + 1e-4);
  }
}

}  // namespace
}  // namespace loadline
