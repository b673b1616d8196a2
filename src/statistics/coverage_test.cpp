// Does the 95% interval hold the truth on dependent series whose p99 is known? Seeded, so that it always says the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "statistics/percentile_interval.h"
#include "statistics/share_verdict.h"

namespace loadline {
namespace {

/// A lognormal latency whose logarithm remembers its past: correlation `memory` from one request to the next.
std::vector<double> remembering_series(std::uint64_t seed, int n, double memory) {
  Random random(mix(seed, 99));
  double state = random.normal();
  std::vector<double> x;
  for (int i = 0; i < n; ++i) {
    state = memory * state + std::sqrt(1 - memory * memory) * random.normal();
    x.push_back(std::exp(0.5 * state));
  }
  return x;
}

/// Share of 200 series of which the interval of p99 holds the true one.
double hold_share(int n, double memory) {
  const double truth = std::exp(0.5 * normal_quantile(0.99));
  int held = 0;
  constexpr int seeds = 200;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const PercentileInterval interval = percentile_interval(remembering_series(seed, n, memory), 0.99);
    held += interval.low <= truth && (!interval.high || truth <= *interval.high) ? 1 : 0;
  }
  return static_cast<double>(held) / seeds;
}

TEST(Coverage, TheIntervalHoldsTheTruthWhateverTheMemory) {
  for (const int n : {1000, 3000, 10000}) {
    for (const double memory : {0.0, 0.5, 0.9, 0.97})
      EXPECT_GE(hold_share(n, memory), 0.91) << n << " requests, memory " << memory;
  }
}

TEST(Coverage, TreatedAsIndependentItWouldNot) {
  const double truth = std::exp(0.5 * normal_quantile(0.99));
  int held = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::vector<double> x = remembering_series(seed, 3000, 0.97);
    const RankInterval ranks = rank_interval(0.99, x.size(), 3000);
    std::ranges::sort(x);
    held += x[ranks.low - 1] <= truth && truth <= x[*ranks.high - 1] ? 1 : 0;
  }
  EXPECT_LT(held, 160) << "the test above can fail";
}

TEST(Coverage, AWrongVerdictIsRare) {
  // The limit lies at the true 98.5% and 99.5% quantiles: the share above is 1.5% and 0.5%.
  int wrong = 0, decided = 0;
  for (const double share : {0.015, 0.005}) {
    const double limit = std::exp(0.5 * normal_quantile(1 - share));
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      std::vector<std::uint8_t> exceeds;
      std::uint64_t above = 0;
      for (const double value : remembering_series(seed, 5000, 0.7)) {
        exceeds.push_back(value > limit ? 1 : 0);
        above += exceeds.back();
      }
      const Verdict verdict = share_verdict(above, exceeds.size(), dependence(exceeds).tau, 0.01).verdict;
      wrong += verdict == (share > 0.01 ? Verdict::under : Verdict::over) ? 1 : 0;
      decided += verdict != Verdict::open ? 1 : 0;
    }
  }
  EXPECT_LE(wrong, 2);
  EXPECT_GT(decided, 40);
}

}  // namespace
}  // namespace loadline
