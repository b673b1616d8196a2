#include "compare/ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "compare/gate.h"
#include "compare/load_ratios.h"
#include "core/random.h"

namespace loadline {
namespace {

using ValuePairs = std::vector<std::pair<double, double>>;

TEST(RatioOfPairs, IsStudentsIntervalInLogarithms) {
  const ValuePairs pairs = {
      {10, 10 * std::exp(0.01)}, {9, 9 * std::exp(0.03)}, {11, 11 * std::exp(0.01)}, {10, 10 * std::exp(0.03)}};
  const std::optional<LogRatio> ratio = ratio_of_pairs(pairs);
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->mean, 0.02, 1e-12);
  EXPECT_NEAR(ratio->deviation, 0.02 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(ratio->half_width, 3.182446 * 0.02 / std::sqrt(3) / 2, 1e-7);  // t(0.975; 3)
  EXPECT_NEAR(ratio->ratio().value, std::exp(0.02), 1e-12);
  EXPECT_FALSE(ratio_of_pairs(ValuePairs{{1, 1}, {1, 1}, {1, 1}}));
}

TEST(RatioOfPairs, SaysTheSameOfAOverBAsOfBOverA) {
  const ValuePairs there = {{1, 1.1}, {2, 2.0}, {3, 3.1}, {4, 4.4}};
  ValuePairs back;
  for (const auto& [a, b] : there) back.emplace_back(b, a);
  const Estimate ratio = ratio_of_pairs(there)->ratio(), inverse = ratio_of_pairs(back)->ratio();
  EXPECT_NEAR(ratio.value * inverse.value, 1, 1e-12);
  EXPECT_NEAR(*ratio.low * *inverse.high, 1, 1e-12);
}

TEST(Verdict, FollowsTheIntervalAlone) {
  EXPECT_EQ(verdict_of({1.05, 1.01, 1.09}, true), ComparisonVerdict::faster);
  EXPECT_EQ(verdict_of({1.05, 1.01, 1.09}, false), ComparisonVerdict::slower);
  EXPECT_EQ(verdict_of({0.95, 0.92, 0.99}, true), ComparisonVerdict::slower);
  EXPECT_EQ(verdict_of({1.0, 0.98, 1.02}, true), ComparisonVerdict::equivalent);
  EXPECT_EQ(verdict_of({1.0, 0.96, 1.02}, true), ComparisonVerdict::undecided);
  EXPECT_EQ(verdict_of({1.2, 0.99, 1.5}, true), ComparisonVerdict::undecided);
  EXPECT_EQ(verdict_of({1.2, std::nullopt, std::nullopt}, true), ComparisonVerdict::undecided);
}

TEST(MorePairs, AreAsManyAsMakeTheIntervalDecide) {
  // Deviation 0.03, mean 0.02: t(0.975; n - 1) 0.03 / sqrt(n) < 0.02 from n = 12 on (t = 2.200986: 0.01906).
  EXPECT_EQ(more_pairs_needed({0.02, 0.0477, 0.03}, 4), 12U - 4);
  // Hardly a difference: the interval must fit into 3%, which takes fewer than telling 0.001 from 0.
  const std::optional<std::uint32_t> close = more_pairs_needed({0.001, 0.0477, 0.03}, 4);
  ASSERT_TRUE(close);
  EXPECT_LT(*close, 10U);
  // Half way between 1 and 3%, with a large spread: out of reach.
  EXPECT_FALSE(more_pairs_needed({0.0148, 1.5, 1.0}, 4));
}

/// Pairs whose true ratio is known; the level of the day is common to both sides.
ValuePairs drawn_pairs(Random& random, std::size_t count, double log_ratio) {
  ValuePairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double common = std::exp(0.2 * random.normal());
    pairs.emplace_back(common * std::exp(0.02 * random.normal()),
                       common * std::exp(log_ratio + 0.02 * random.normal()));
  }
  return pairs;
}

TEST(Coverage, OfStudentsIntervalOverPairs) {
  const double truth = std::log(0.97);
  int holds = 0, false_alarms = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const LogRatio ratio = *ratio_of_pairs(drawn_pairs(random, 4, truth));
    holds += std::abs(ratio.mean - truth) <= ratio.half_width ? 1 : 0;
    const ComparisonVerdict same = verdict_of(ratio_of_pairs(drawn_pairs(random, 4, 0))->ratio(), true);
    false_alarms += same == ComparisonVerdict::faster || same == ComparisonVerdict::slower ? 1 : 0;
  }
  EXPECT_GE(holds, 364);        // 91%
  EXPECT_LE(false_alarms, 36);  // 5% are due, 9% would be a fault
}

/// One level on both sides: what a request meets is heavy-tailed and depends on what those before it met, the same on
/// both sides but for noise of their own; B takes `times` as long.
LevelPair drawn_level(std::uint64_t seed, double times) {
  Random random(seed);
  LevelPair level{{LevelKind::concurrency, 32, Arrivals::closed}, {}};
  double queue = 0;
  for (int i = 0; i < 1000; ++i) {
    queue = 0.9 * queue + std::sqrt(1 - 0.81) * random.normal();
    const double ms = 300 * std::exp(0.5 * queue + 0.5 * random.normal());
    const auto seen = [&](double factor) {
      RequestSeen request;
      request.succeeded = true;
      request.ttft_ms = ms * factor * std::exp(0.05 * random.normal());
      request.residence_ms = 10 * request.ttft_ms;
      request.tpot_ms = 8 * factor * std::exp(0.1 * random.normal());
      return request;
    };
    level.requests.push_back({seen(1), seen(times)});
  }
  return level;
}

TEST(Coverage, OfTheBootstrapOverPairedBatches) {
  const double truth = 1.04;
  int rate = 0, p50 = 0, p99 = 0, false_alarms = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const std::vector<LevelPair> level = {drawn_level(seed, truth)};
    for (const Ratio& ratio : ratios_at_load(level, {seed, 100})) {
      ASSERT_EQ(ratio.method, RatioMethod::paired_batches);
      ASSERT_EQ(ratio.n, 20U);
      const double expected = ratio.metric == RatioMetric::request_rate ? 1 / truth : truth;
      const int holds = *ratio.b_over_a->low <= expected && expected <= *ratio.b_over_a->high ? 1 : 0;
      if (ratio.metric == RatioMetric::request_rate) rate += holds;
      if (ratio.metric == RatioMetric::ttft_p50) p50 += holds;
      if (ratio.metric == RatioMetric::ttft_p99) p99 += holds;
    }
    const std::vector<std::vector<LevelPair>> loads = {{drawn_level(seed, 1)}};
    const Ratio unchanged = ratio_over_loads(RatioMetric::request_rate, loads, {seed, 100});
    false_alarms += unchanged.verdict == ComparisonVerdict::faster || unchanged.verdict == ComparisonVerdict::slower;
  }
  EXPECT_GE(rate, 364);
  EXPECT_GE(p50, 364);
  EXPECT_GE(p99, 364);
  EXPECT_LE(false_alarms, 36);
  RecordProperty("rate", rate);
  RecordProperty("p50", p50);
  RecordProperty("p99", p99);
  RecordProperty("false_alarms", false_alarms);
}

TEST(RatiosAtLoad, PairsRequestByRequestAndCountsFailuresAsInfinite) {
  LevelPair level{{LevelKind::concurrency, 10, Arrivals::closed}, {}};
  for (int i = 1; i <= 100; ++i) {
    RequestSeen a, b;
    a.succeeded = b.succeeded = true;
    a.ttft_ms = i;
    b.ttft_ms = 2 * i;
    a.residence_ms = 100;
    b.residence_ms = 125;
    level.requests.push_back({a, b});
  }
  std::vector<Ratio> ratios = ratios_at_load(std::vector{level}, {});
  EXPECT_NEAR(*ratios[0].a, 10 / 0.1, 1e-9);  // 10 users, 0.1 s each
  EXPECT_NEAR(ratios[0].b_over_a->value, 0.8, 1e-12);
  EXPECT_NEAR(*ratios[1].a, 50, 1e-9);
  EXPECT_NEAR(ratios[2].b_over_a->value, 2, 1e-12);
  EXPECT_EQ(ratios[3].b_over_a, std::nullopt);  // no TPOT anywhere
  EXPECT_FALSE(ratios[3].absence.empty());

  for (int i = 0; i < 2; ++i) {  // 2% failed
    level.requests[static_cast<std::size_t>(i)].b.succeeded = false;
    level.requests[static_cast<std::size_t>(i)].b.ttft_ms = std::numeric_limits<double>::infinity();
  }
  ratios = ratios_at_load(std::vector{level}, {});
  EXPECT_TRUE(ratios[1].b_over_a);
  EXPECT_FALSE(ratios[2].b_over_a);
}

Comparison comparison_with(Estimate b_over_a, RatioMetric metric = RatioMetric::capacity_closed) {
  Comparison comparison;
  Ratio ratio;
  ratio.metric = metric;
  ratio.b_over_a = b_over_a;
  ratio.method = RatioMethod::student_pairs;
  ratio.n = 4;
  comparison.ratios = {ratio};
  return comparison;
}

TEST(GateOf, FailsOnlyWhereTheLossIsProven) {
  const auto outcome = [](const Comparison& comparison, bool strict = false) {
    return gate_of(comparison, 0.03, strict);
  };
  EXPECT_EQ(outcome(comparison_with({0.99, 0.975, 1.01})).outcome, GateOutcome::passed);
  EXPECT_EQ(outcome(comparison_with({0.94, 0.92, 0.96})).outcome, GateOutcome::failed);
  EXPECT_FALSE(outcome(comparison_with({0.94, 0.92, 0.96})).pass);
  const Gate open = outcome(comparison_with({0.97, 0.95, 0.99}));
  EXPECT_EQ(open.outcome, GateOutcome::undecided);
  EXPECT_TRUE(open.pass);
  EXPECT_FALSE(outcome(comparison_with({0.97, 0.95, 0.99}), true).pass);
  // 6% more TTFT is slower.
  EXPECT_EQ(outcome(comparison_with({1.06, 1.05, 1.07}, RatioMetric::ttft_p99)).outcome, GateOutcome::failed);
  EXPECT_EQ(outcome(comparison_with({0.90, 0.88, 0.92}, RatioMetric::ttft_p99)).outcome, GateOutcome::passed);
  Comparison invalid = comparison_with({1.0, 0.99, 1.01});
  invalid.valid = false;
  EXPECT_FALSE(outcome(invalid).pass);
}

}  // namespace
}  // namespace loadline
