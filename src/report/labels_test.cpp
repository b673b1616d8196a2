#include "report/labels.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Labels, AnObjectiveReadsAsItWasAsked) {
  EXPECT_EQ(objective_label({Latency::ttft, 0.99, std::chrono::seconds(1)}), "p99 TTFT ≤ 1,000 ms");
  EXPECT_EQ(objective_label({Latency::e2e, 0.999, std::chrono::milliseconds(1500)}), "p99.9 E2E latency ≤ 1,500 ms");
  EXPECT_EQ(objective_label({Latency::tpot, 0.99999999999, Nanos(100)}), "p99.999999999 TPOT ≤ 0.0001 ms");
}

TEST(Labels, OneUserAndMany) {
  EXPECT_EQ(load_label(LevelKind::concurrency, 1), "1 user");
  EXPECT_EQ(load_label(LevelKind::concurrency, 1024), "1,024 users");
  EXPECT_EQ(load_label(LevelKind::request_rate, 7.5), "7.5 req/s");
}

}  // namespace
}  // namespace loadline
