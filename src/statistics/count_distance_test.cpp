#include "statistics/count_distance.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "statistics/distance.h"

namespace loadline {
namespace {

TEST(CountDistance, EqualsTheDistanceOfTheSamplesThemselves) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::int64_t> log, sample;
    std::map<std::int64_t, std::uint64_t> counts;
    for (int i = 0; i < 500; ++i) {
      log.push_back(static_cast<std::int64_t>(random.below(50)));
      ++counts[log.back()];
    }
    for (int i = 0; i < 77; ++i) sample.push_back(static_cast<std::int64_t>(random.below(60)));
    EXPECT_DOUBLE_EQ(ks_distance_from_counts(counts, sample), ks_distance(log, sample));
  }
  using Counts = std::map<std::int64_t, std::uint64_t>;
  EXPECT_DOUBLE_EQ(ks_distance_from_counts(Counts{{1, 3}}, {2, 2}), 1.0);
  EXPECT_DOUBLE_EQ(ks_distance_from_counts(Counts{{1, 3}, {2, 3}}, {1, 2}), 0.0);
}

}  // namespace
}  // namespace loadline
