#include "workload/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "workload/block_counts.h"
#include "workload/log_sharing.h"
#include "workload/small_logs_test.h"

namespace loadline {
namespace {

std::vector<std::vector<std::uint64_t>> rows_by_unit(const SessionUnits& units) {
  std::vector<std::vector<std::uint64_t>> all;
  for (std::size_t i = 0; i < units.size(); ++i) all.emplace_back(units.rows(i).begin(), units.rows(i).end());
  return all;
}

using UnitRows = std::vector<std::vector<std::uint64_t>>;

TEST(BlockCounts, CountsLikeAMap) {
  Random random(3);
  BlockCounts counts;
  std::map<std::uint64_t, std::uint32_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t id = random.below(5000) * 0x100000001ULL;
    EXPECT_EQ(counts.of(id), expected[id]);
    EXPECT_EQ(counts.add(id), expected[id]++);
  }
}

TEST(SessionUnits, DeclaredSessionsAndRowsWithoutOne) {
  Trace trace = session_trace(2, 2);
  trace.rows.push_back(row_of(5, 5));
  trace.rows.push_back(row_of(6, 6));
  EXPECT_EQ(rows_by_unit(session_units(trace)), (UnitRows{{0, 2}, {1, 3}, {4}, {5}}));
}

TEST(SessionUnits, FamiliesAreNamedBelowWhatEverybodyShares) {
  // 1 is in all 100 rows, 2 in 50; then ten families of five rows each, which is 5% and not more; and 40 rows whose
  // second id is their own, 9 with nothing but the common id, and one with no id at all.
  Trace trace;
  trace.block_size = 4;
  UnitRows expected(50);
  for (std::uint64_t i = 0; i < 50; ++i) {
    expected[i % 10].push_back(trace.rows.size());
    add_hashed_row(trace, 16, {1, 2, 10 + i % 10, 1000 + i});
  }
  for (std::uint64_t i = 0; i < 40; ++i) {
    expected[10 + i].push_back(trace.rows.size());
    add_hashed_row(trace, 8, {1, 100 + i});
  }
  expected.emplace_back();
  for (int i = 0; i < 9; ++i) {
    expected.back().push_back(trace.rows.size());
    add_hashed_row(trace, 4, {1});
  }
  expected.push_back({trace.rows.size()});
  add_hashed_row(trace, 4, {});
  EXPECT_EQ(rows_by_unit(session_units(trace)), expected);
}

TEST(LogSharing, ByWhatTheLogTells) {
  const LogSharing hashed = log_sharing(hashed_trace());
  EXPECT_DOUBLE_EQ(*hashed.token_hit_rate, 18.0 / 32);
  EXPECT_EQ(hashed.hits, (std::vector<std::optional<Tokens>>{Tokens(0), Tokens(8), Tokens(10)}));

  Trace sessions = session_trace(2, 3);
  sessions.rows[3].prompt = Tokens(50);  // session 1 was cut: nothing is shared with 100, then 50 of 300
  EXPECT_DOUBLE_EQ(*log_sharing(sessions).token_hit_rate, (100.0 + 200 + 0 + 50) / (100 + 200 + 300 + 100 + 50 + 300));

  Trace counted = plain_trace(3);
  counted.sharing = SharingOrigin::cached_counts;
  counted.rows[0].cached = Tokens(5);
  counted.rows[2].cached = Tokens(99);
  EXPECT_DOUBLE_EQ(*log_sharing(counted).token_hit_rate, (5.0 + 30) / 40) << "the second row does not tell";

  EXPECT_FALSE(log_sharing(plain_trace(3)).token_hit_rate);
}

TEST(BalancedOrder, EveryUnitOnceInAPassAndNewInTheNext) {
  const std::vector<double> residuals(100, 0.0);
  BalancedOrder order(residuals, 4);
  std::vector<std::uint32_t> first, second;
  for (int i = 0; i < 100; ++i) first.push_back(order.next());
  EXPECT_TRUE(order.at_pass_start());
  for (int i = 0; i < 100; ++i) second.push_back(order.next());
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 100U);
  EXPECT_EQ(std::set(second.begin(), second.end()).size(), 100U);
  EXPECT_NE(first, second);
}

TEST(BalancedOrder, EveryBeginningIsLikeTheWhole) {
  // Residuals 0 .. 999, mean 499.5 and deviation 288.7: the mean of n random ones is off by 288.7 / sqrt n, 41 of 50.
  // Any n places of the golden ratio's sequence lie so evenly that their mean is within 3 ln(n) / n of the range.
  std::vector<double> residuals(1000);
  std::iota(residuals.begin(), residuals.end(), 0.0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    BalancedOrder order(residuals, seed);
    double sum = 0;
    for (int n = 1; n <= 500; ++n) {
      sum += residuals[order.next()];
      if (n >= 10) {
        EXPECT_NEAR(sum / n, 499.5, 1000 * 3 * std::log(n) / n / 2) << seed << " " << n;
      }
    }
  }
}

TEST(BalancedOrder, TiesAreRandom) {
  // Of 10 equal units each is first as often as any: chi-square, 9 degrees of freedom.
  std::vector<double> counts(10);
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) ++counts[BalancedOrder(std::vector<double>(10), seed).next()];
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 1000) * (count - 1000) / 1000;
  EXPECT_LT(chi_square, 27.9) << "probability 0.001";
}

TEST(SessionRows, APassHoldsEveryRowOnceAndBatchesAreInLogOrder) {
  const Trace trace = session_trace(100, 7);
  SessionRows order(trace, 5);
  for (std::uint32_t pass = 0; pass < 3; ++pass) {
    std::set<std::uint64_t> rows;
    std::map<std::uint32_t, std::set<SessionIndex>> sessions_by_lap;
    ChosenRow before;
    for (std::size_t i = 0; i < trace.rows.size(); ++i) {
      const ChosenRow chosen = order.next();
      EXPECT_EQ(chosen.pass, pass);
      EXPECT_TRUE(rows.insert(chosen.row).second);
      if (i > 0 && chosen.lap == before.lap) {
        EXPECT_GT(chosen.row, before.row);
      }
      sessions_by_lap[chosen.lap].insert(trace.rows[chosen.row].session);
      before = chosen;
    }
    EXPECT_EQ(sessions_by_lap.size(), 10U) << "a tenth of a short log";
    std::size_t sessions = 0;
    for (const auto& [lap, members] : sessions_by_lap) sessions += members.size();
    EXPECT_EQ(sessions, 100U) << "no session is in two batches";
  }
  EXPECT_EQ(order.passes(), 3U);
}

TEST(SessionRows, OneUnitLargerThanABatch) {
  Trace trace = session_trace(1, 50);
  trace.rows.push_back(row_of(5, 5));
  SessionRows order(trace, 5);
  std::set<std::uint64_t> rows;
  for (int i = 0; i < 51; ++i) rows.insert(order.next().row);
  EXPECT_EQ(rows.size(), 51U);
  EXPECT_EQ(order.passes(), 1U);
}

}  // namespace
}  // namespace loadline
