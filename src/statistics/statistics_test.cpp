// The test values of docs/method.md section 3, and quick ways against slow, simple ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "core/units.h"
#include "statistics/dependence.h"
#include "statistics/distributions.h"
#include "statistics/large_sample.h"
#include "statistics/least_squares.h"
#include "statistics/mean_interval.h"
#include "statistics/percentile.h"
#include "statistics/percentile_interval.h"
#include "statistics/share_verdict.h"

namespace loadline {
namespace {

template <class Value>
std::vector<double> series(int n, Value value) {
  std::vector<double> x;
  for (int i = 0; i < n; ++i) x.push_back(value(i));
  return x;
}

TEST(Percentile, RanksAreExactForDecimals) {
  EXPECT_EQ(nearest_rank(0.99, 100), 99u);
  EXPECT_EQ(nearest_rank(0.99, 1000), 990u);
  EXPECT_EQ(nearest_rank(0.99, 101), 100u);
  EXPECT_EQ(nearest_rank(0.07, 100), 7u) << "0.07 * 100 is 7.000000000000001 in doubles";
  EXPECT_EQ(nearest_rank(0.999, 1000), 999u);
  EXPECT_EQ(nearest_rank(0.5, 1), 1u);
  EXPECT_EQ(nearest_rank(1.0, 7), 7u);
  for (std::uint64_t n = 1; n <= 5000; ++n) {
    for (std::uint64_t percent = 1; percent < 100; ++percent) {
      ASSERT_EQ(nearest_rank(static_cast<double>(percent) / 100, n), (percent * n + 99) / 100)
          << percent << " of " << n;
    }
  }
  EXPECT_THROW(nearest_rank(0.5, 0), Bug);
}

TEST(Percentile, SelectsRanksLikeSortingDoes) {
  Random random(11);
  std::vector<double> values = series(3001, [&](int) { return std::floor(random.uniform() * 500); });
  values[17] = infinite;
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const std::vector<std::uint64_t> ranks = {3001, 1, 2900, 2900, 1500, 3000};
  const std::vector<double> found = values_at_ranks(values, ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(found[i], sorted[ranks[i] - 1]);
  EXPECT_EQ(percentile(values, 0.5), sorted[1500]);
}

TEST(LargeSample, AgreesWithSorting) {
  Random random(5);
  std::vector<std::vector<std::uint32_t>> parts(40);
  std::vector<std::uint32_t> all;
  for (auto& part : parts) {
    for (int i = 0; i < 1000; ++i) {
      const double value = i % 97 == 0 ? random.uniform() * 4.2e9 : std::exp(11 + 0.4 * random.normal());
      part.push_back(i % 211 == 0 ? static_cast<std::uint32_t>(i % 2) : static_cast<std::uint32_t>(value));
    }
    all.insert(all.end(), part.begin(), part.end());
  }
  all.push_back(0xffffffff);
  parts.push_back({0xffffffff});
  std::ranges::sort(all);
  const LargeSample sample(std::vector<std::span<const std::uint32_t>>(parts.begin(), parts.end()));
  sample.prepare(std::vector<std::uint64_t>{7, 20000}, 39000);
  ASSERT_EQ(sample.size(), all.size());
  std::vector<std::uint64_t> ranks = {all.size(), 1};
  for (std::uint64_t rank = 1; rank <= all.size(); rank += 37) ranks.push_back(rank);
  const auto found = sample.at_ranks(ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) ASSERT_EQ(found[i], all[ranks[i] - 1]) << ranks[i];
  double sum = 0;
  for (const std::uint32_t value : all) sum += value;
  EXPECT_DOUBLE_EQ(sample.sum(), sum);
}

TEST(Distributions, BetaQuantilesOfTheMethod) {
  const auto pair = [](double n_eff) {
    return std::pair(beta_quantile(0.025, 0.99 * n_eff, 0.01 * n_eff + 1),
                     beta_quantile(0.975, 0.99 * n_eff + 1, 0.01 * n_eff));
  };
  EXPECT_NEAR(pair(1000).first, 0.981687, 5e-7);
  EXPECT_NEAR(pair(1000).second, 0.995194, 5e-7);
  EXPECT_NEAR(pair(400).first, 0.974595, 5e-7);
  EXPECT_NEAR(pair(400).second, 0.997269, 5e-7);
  EXPECT_NEAR(pair(10000).first, 0.987850, 5e-7);
  EXPECT_NEAR(pair(10000).second, 0.991856, 5e-7);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.776445, 5e-7);
  EXPECT_NEAR(std::pow(student_quantile(0.975, 4) / 1.959963985, 2), student_inflation, 1e-6);
  EXPECT_NEAR(student_quantile(0.975, 1), 12.7062, 5e-5);
}

TEST(PercentileInterval, TestValuesOfTheMethod) {
  const auto first =
      percentile_interval(series(20000, [](int i) { return static_cast<double>((i * 7919LL) % 20000) + 1; }), 0.99);
  EXPECT_EQ(first.value, 19800);
  EXPECT_NEAR(first.dependence.tau_5, 0.037879, 5e-7);
  EXPECT_NEAR(first.dependence.tau_10, 0.022447, 5e-7);
  EXPECT_NEAR(first.dependence.tau_20, 0.085061, 5e-7);
  EXPECT_NEAR(first.n_eff, 9966.62, 5e-3);
  EXPECT_EQ(first.low, 19756);
  EXPECT_EQ(first.high, 19838);

  const auto second = percentile_interval(series(1000, [](int i) { return (i * 7919) % 1000 + 1.0; }), 0.99);
  EXPECT_EQ(second.value, 990);
  EXPECT_NEAR(second.dependence.tau_5, 1.262626, 5e-7);
  EXPECT_NEAR(second.dependence.tau_10, 1.122334, 5e-7);
  EXPECT_NEAR(second.dependence.tau_20, 0.956938, 5e-7);
  EXPECT_NEAR(second.n_eff, 394.678, 5e-4);
  EXPECT_EQ(second.ranks.low, 974u);
  EXPECT_EQ(second.ranks.high, 998u);

  const auto third = percentile_interval(
      series(20000,
             [](int i) { return static_cast<double>((i * 7919LL) % 20000) / 20 + ((i / 50) % 80 == 0 ? 2000 : 0); }),
      0.99);
  EXPECT_NEAR(third.value, 2195.95, 1e-9);
  EXPECT_NEAR(third.dependence.tau_5, 0.012626, 5e-7);
  EXPECT_NEAR(third.dependence.tau_10, 22.4579, 5e-5);
  EXPECT_NEAR(third.dependence.tau_20, 31.9086, 5e-5);
  EXPECT_NEAR(third.n_eff, 312.35, 5e-3);
  EXPECT_EQ(third.ranks.low, 19432u);
  EXPECT_FALSE(third.ranks.high);
  EXPECT_NEAR(third.low, 983.9, 0.05);
  EXPECT_FALSE(is_stable(third, 1.0)) << "an end that does not exist is never close";
}

TEST(PercentileInterval, StableIsJudgedByTheLongerSide) {
  PercentileInterval interval;
  interval.value = 100, interval.low = 95, interval.high = 120;
  EXPECT_TRUE(is_stable(interval, 0.20));
  interval.high = 120.5;
  EXPECT_FALSE(is_stable(interval, 0.20));
  interval.high = infinite;
  EXPECT_FALSE(is_stable(interval, 0.20));
}

TEST(PercentileInterval, FailuresAreInfinite) {
  std::vector<double> x = series(1000, [](int i) { return i + 1.0; });
  for (std::size_t i = 0; i < 1000; i += 50) x[i] = infinite;
  EXPECT_EQ(percentile_interval(x, 0.99).value, infinite) << "2% failed";
  EXPECT_TRUE(std::isfinite(percentile_interval(x, 0.90).value));
}

TEST(PercentileInterval, TheUpperEndNeedsEnoughForItsPercentile) {
  EXPECT_FALSE(rank_interval(0.99, 1000, 367.0).high);
  EXPECT_TRUE(rank_interval(0.99, 1000, 367.05).high);
  EXPECT_FALSE(rank_interval(0.5, 1000, 5.3).high);
  EXPECT_TRUE(rank_interval(0.5, 1000, 5.33).high);
}

TEST(ShareVerdict, TestValuesOfTheMethod) {
  const ShareVerdict none = share_verdict(0, 1000, 1, 1 - 0.99);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.007375, 5e-7);
  EXPECT_EQ(none.verdict, Verdict::under);
  const ShareVerdict two = share_verdict(2, 1000, 1, 1 - 0.99);
  EXPECT_NEAR(two.low, 0.00005, 5e-6);
  EXPECT_NEAR(two.high, 0.011118, 5e-7);
  EXPECT_EQ(two.verdict, Verdict::open);
  const ShareVerdict thirty = share_verdict(30, 1000, 1, 1 - 0.99);
  EXPECT_NEAR(thirty.low, 0.016867, 5e-7);
  EXPECT_NEAR(thirty.high, 0.049037, 5e-7);
  EXPECT_EQ(thirty.verdict, Verdict::over);
  const ShareVerdict dependent = share_verdict(30, 3000, 4, 1 - 0.99);
  EXPECT_NEAR(dependent.low, 0.002572, 5e-7);
  EXPECT_NEAR(dependent.high, 0.026165, 5e-7);
  EXPECT_EQ(dependent.verdict, Verdict::open);
  EXPECT_EQ(share_verdict(0, 0, 1, 0.01).verdict, Verdict::open);
  EXPECT_EQ(share_verdict(1000, 1000, 1, 0.01).high, 1);
}

TEST(Dependence, PooledWithOneValueEachIsThePlainOne) {
  std::vector<std::uint8_t> exceeds;
  std::vector<ExceedCount> counts;
  for (int i = 0; i < 1003; ++i) {
    exceeds.push_back(i % 100 < 3 && i > 400);
    counts.push_back({1, exceeds.back()});
  }
  const Dependence plain = dependence(exceeds), pooled = pooled_dependence(counts);
  EXPECT_DOUBLE_EQ(plain.tau_5, pooled.tau_5);
  EXPECT_DOUBLE_EQ(plain.tau_20, pooled.tau_20);
  EXPECT_GT(plain.tau, 1);
  EXPECT_EQ(dependence(std::vector<std::uint8_t>(100, 1)).tau, 1) << "all exceed: no variance to explain";
}

TEST(LeastSquares, ExactCurvesAreFoundExactly) {
  std::vector<Point> points;
  for (int i = 0; i < 8; ++i) points.push_back({i * 0.3, 2 + 3 * (i * 0.3) - 0.5 * (i * 0.3) * (i * 0.3), 1.0 + i});
  const LocalFit parabola = fit_at(points, 2, 1.0);
  EXPECT_NEAR(parabola.value, 4.5, 1e-10);
  EXPECT_NEAR(parabola.slope, 2.0, 1e-10);
  EXPECT_NEAR(parabola.standard_error, 0, 1e-6);
  EXPECT_EQ(parabola.degrees_of_freedom, 5);
}

TEST(LeastSquares, ALineWithKnownError) {
  // x 0..3, y 1 3 2 4: slope 0.8, intercept 1.3, residual sum of squares 1.8; s^2 = 0.9, Sxx = 5.
  const std::vector<Point> points = {{0, 1}, {1, 3}, {2, 2}, {3, 4}};
  const LocalFit fit = fit_at(points, 1, 0);
  EXPECT_NEAR(fit.value, 1.3, 1e-12);
  EXPECT_NEAR(fit.slope, 0.8, 1e-12);
  EXPECT_NEAR(fit.standard_error, std::sqrt(0.9 * (0.25 + 2.25 / 5)), 1e-12);
  const std::vector<double> heights = {1, 3, 2, 4};
  const Trend line = trend(heights);
  EXPECT_NEAR(line.slope, 0.8, 1e-12);
  EXPECT_NEAR(line.standard_error, std::sqrt(0.9 / 5), 1e-12);
  // Residuals -0.3 0.9 -0.9 0.3.
  EXPECT_NEAR(line.residual_correlation, (-0.27 - 0.81 - 0.27) / 1.8, 1e-12);
}

TEST(MeanInterval, OfAFewValuesByStudent) {
  // mean 3, deviation 1.5811, t(0.975; 4) = 2.7764: +- 1.9632.
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const auto interval = mean_interval(values);
  ASSERT_TRUE(interval);
  EXPECT_DOUBLE_EQ(interval->mean, 3);
  EXPECT_NEAR(interval->deviation, 1.58114, 1e-5);
  EXPECT_NEAR(interval->low, 3 - 1.96324, 1e-5);
  EXPECT_NEAR(interval->high, 3 + 1.96324, 1e-5);
  EXPECT_FALSE(mean_interval(std::vector<double>{7}));
}

}  // namespace
}  // namespace loadline
