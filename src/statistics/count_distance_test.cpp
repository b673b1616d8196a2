#include "statistics/count_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace loadline {
namespace {

/// The slow reference: the two distribution functions of the samples themselves.
double ks_distance(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  const auto share_up_to = [](const std::vector<std::int64_t>& sample, std::int64_t value) {
    const auto below = std::ranges::count_if(sample, [&](std::int64_t one) { return one <= value; });
    return static_cast<double>(below) / static_cast<double>(sample.size());
  };
  double largest = 0;
  for (const std::vector<std::int64_t>& sample : {a, b}) {
    for (const std::int64_t value : sample) {
      largest = std::max(largest, std::abs(share_up_to(a, value) - share_up_to(b, value)));
    }
  }
  return largest;
}

TEST(CountDistance, TheReferenceKnowsWhatIsKnown) {
  EXPECT_DOUBLE_EQ(ks_distance({1, 2, 3, 4}, {4, 3, 2, 1}), 0);
  EXPECT_DOUBLE_EQ(ks_distance({1, 2}, {3, 4}), 1);
  EXPECT_DOUBLE_EQ(ks_distance({1, 2, 3, 4}, {3, 4, 5, 6}), 0.5);
  EXPECT_DOUBLE_EQ(ks_distance({1, 1, 1, 2}, {1, 2, 2, 2}), 0.5);
}

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
