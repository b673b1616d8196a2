// The test values of docs/method.md section 4, then the conductor's view: crossings, objectives, kinds, the ladder.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "curve/crossing_estimate.h"
#include "curve/interpolation.h"
#include "curve/ladder.h"
#include "curve/operating_point.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::vector<CrossingRow> rows_of_the_method() {
  return {{1, 30, 0, 1, 265},        {2, 30, 0, 1, 522},        {4, 120, 0, 1, 1016},      {8, 300, 0, 1, 1925},
          {16, 300, 1, 1, 3460},     {32, 300, 1, 1, 5700},     {64, 300, 12, 6.5, 7800},  {54, 1000, 14, 7.2, 7480},
          {68, 1000, 41, 11, 7990},  {42, 1000, 4, 2.5, 6700},  {60, 1000, 15, 6.1, 7720}, {47, 1000, 8, 3.9, 7020},
          {52, 1000, 11, 5.8, 7370}, {64, 1000, 22, 9.5, 7870}, {40, 1000, 3, 1.6, 6560},  {58, 1000, 19, 8.8, 7610},
          {45, 1000, 9, 5, 6920},    {50, 1000, 7, 3.3, 7240},  {62, 1000, 30, 12.4, 7800}};
}

TEST(CrossingEstimate, TestValuesOfTheMethod) {
  const auto rows = rows_of_the_method();
  const CrossingEstimate crossing = estimate_crossing(rows, {});
  EXPECT_NEAR(crossing.load.value, 49.742, 5e-4);
  EXPECT_NEAR(*crossing.load.low, 29.870, 5e-4);
  EXPECT_NEAR(*crossing.load.high, 59.255, 5e-4);
  EXPECT_NEAR(crossing.slope_below, 2.7346, 5e-5);
  EXPECT_NEAR(crossing.slope_above, 3.2044, 5e-5);
  EXPECT_EQ(crossing.near, 12u);
  const Estimate aggregate = estimate_aggregate(rows, crossing.load);
  EXPECT_NEAR(aggregate.value, 7222.55, 5e-3);
  const Estimate capacity = capacity_of(aggregate, 733.66, 0);
  EXPECT_NEAR(capacity.value, 9.8445, 5e-5);
  EXPECT_NEAR(*capacity.low, 8.0313, 5e-5);
  EXPECT_NEAR(*capacity.high, 10.5722, 5e-5);
}

TEST(CrossingEstimate, SpreadOfLengthsWidensTheInterval) {
  const auto rows = rows_of_the_method();
  const CrossingEstimate crossing = estimate_crossing(rows, {});
  const Estimate aggregate = estimate_aggregate(rows, crossing.load);
  const Estimate prescribed = capacity_of(aggregate, 733.66, 0), measured = capacity_of(aggregate, 733.66, 0.05);
  EXPECT_EQ(prescribed.value, measured.value);
  EXPECT_NEAR(std::log(*measured.high / measured.value),
              std::hypot(std::log(*prescribed.high / prescribed.value), 0.05), 1e-12);
  EXPECT_LT(*measured.low, *prescribed.low);
}

TEST(CrossingEstimate, ASaturatedLevelCountsAsMostlyAbove) {
  std::vector<CrossingRow> rows = {{4, 1000, 0, 1, 1000}, {8, 1000, 2, 1, 1900}, {16, 0, 0, 1, 2500, true}};
  const CrossingEstimate saturated = estimate_crossing(rows, {});
  rows[2] = {16, 1000, 900, 3, 2500, false};
  const CrossingEstimate above = estimate_crossing(rows, {});
  EXPECT_DOUBLE_EQ(saturated.load.value, above.load.value);
  EXPECT_GT(saturated.load.value, 8);
  EXPECT_LT(saturated.load.value, 16);
}

TEST(Aggregate, TheValueLiesInItsIntervalAlsoPastThePeak) {
  const std::vector<CrossingRow> rows = {{8, 100, 1, 1, 1900}, {32, 100, 2, 1, 5000}, {96, 100, 40, 1, 3500}};
  const Estimate falling = estimate_aggregate(rows, {32, 20, 96});
  EXPECT_DOUBLE_EQ(*falling.high, 1.05 * 5000);
  EXPECT_LT(*falling.low, falling.value);
  const Estimate past = estimate_aggregate(rows, {60, 32, 96});
  EXPECT_LT(*past.low, past.value);
  EXPECT_DOUBLE_EQ(*past.high, 1.05 * past.value);
}

TEST(Aggregate, FewLevelsAreInterpolatedBetweenNeighbours) {
  const std::vector<CrossingRow> rows = {{8, 1000, 0, 1, 1600}, {32, 1000, 10, 1, 6400}};
  const Estimate estimate = estimate_aggregate(rows, {16, 8, 32});
  EXPECT_NEAR(estimate.value, 3200, 1e-9);
  EXPECT_NEAR(*estimate.low, 0.95 * 1600, 1e-9);
  EXPECT_NEAR(*estimate.high, 1.05 * 6400, 1e-9);
}

std::vector<CurvePoint> points_of_the_method() {
  return {{8, 340, 500, 1, 1900}, {32, 720, 400, 2, 5600}, {64, 1450, 100, 3, 7800}, {96, 3100, 50, 4, 8400}};
}

TEST(Interpolation, TestValuesOfTheMethod) {
  struct Row {
    double slo, w, load, aggregate, from, to;
  };
  for (const Row& row : {Row{1000, 0.469246, 44.3004, 6542.08, 32, 64}, Row{1500, 0.0446168, 65.1683, 7825.83, 64, 96},
                         Row{2000, 0.423226, 75.9812, 8048.52, 64, 96}}) {
    const auto found = interpolate(points_of_the_method(), row.slo);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->load, row.load, 5e-5);
    EXPECT_NEAR(found->output_tokens_per_s, row.aggregate, 5e-3);
    EXPECT_NEAR(std::log(found->load / row.from) / std::log(row.to / row.from), row.w, 5e-7);
  }
  EXPECT_FALSE(interpolate(points_of_the_method(), 300)) << "below the first level";
  EXPECT_FALSE(interpolate(points_of_the_method(), 4000)) << "above the last";
}

TEST(Interpolation, ViolatorsArePooledByWeight) {
  const std::vector<CurvePoint> points = {{1, 100, 1}, {2, 400, 3}, {3, 100, 1}, {4, 800, 1}};
  const auto y = pooled_log_p99(points);
  EXPECT_DOUBLE_EQ(y[0], std::log(100));
  EXPECT_DOUBLE_EQ(y[1], (3 * std::log(400) + std::log(100)) / 4);
  EXPECT_DOUBLE_EQ(y[2], y[1]);
  EXPECT_DOUBLE_EQ(y[3], std::log(800));
  auto saturated = points_of_the_method();
  saturated[3].p99_ms = infinite;
  EXPECT_TRUE(interpolate(saturated, 1000));
  EXPECT_FALSE(interpolate(saturated, 2000)) << "no place between a number and infinity";
}

/// A level as `measure` would give it, of an engine whose p99 is `p99` ms and whose share above 1000 ms is `above` of
/// n.
LevelResult level_at(double load, std::uint64_t above, Verdict verdict, double aggregate, double p99,
                     LevelKind kind = LevelKind::concurrency) {
  LevelResult level;
  level.level = {kind, load, kind == LevelKind::concurrency ? Arrivals::closed : Arrivals::poisson};
  level.objectives = {{Objective{Latency::ttft, 0.99, 1000ms}, 1000, above, 1, 0, 1, verdict}};
  level.verdict = verdict;
  level.stability = Stability::decided;
  level.measured_requests = 1000;
  level.aggregate_output_tokens_per_s = aggregate;
  level.completed_requests_per_s = aggregate / 500;
  level.completion_tokens.n = 1000;
  level.completion_tokens.mean = 500;
  level.completion_cv = 0.8;
  level.ttft_ms.n = level.ttft_ms.n_all = 1000;
  level.ttft_ms.p99 = level.ttft_ms.p99_failures_as_infinite = p99;
  level.ttft_ms.p99_low = 0.8 * p99;
  level.ttft_ms.p99_high = 1.2 * p99;
  level.ttft_ms.n_eff = 400;
  return level;
}
const std::vector<Objective> one_second = {{Latency::ttft, 0.99, 1000ms}};

std::vector<LevelResult> eight_levels() {
  return {level_at(1, 0, Verdict::under, 100, 200),    level_at(2, 0, Verdict::under, 200, 220),
          level_at(4, 0, Verdict::under, 390, 250),    level_at(8, 0, Verdict::under, 770, 300),
          level_at(16, 1, Verdict::under, 1500, 450),  level_at(32, 5, Verdict::open, 2800, 800),
          level_at(48, 40, Verdict::over, 3600, 1600), level_at(64, 150, Verdict::over, 3700, 3300)};
}

TEST(Curve, ABracketedCrossing) {
  const Curve curve = make_curve(eight_levels(), one_second, std::nullopt);
  ASSERT_TRUE(curve.closed);
  EXPECT_FALSE(curve.open);
  EXPECT_EQ(curve.closed->crossing, Crossing::bracketed);
  EXPECT_TRUE(curve.closed->estimate_exists);
  EXPECT_GT(curve.closed->load.value, 30);
  EXPECT_LT(curve.closed->load.value, 48);
  EXPECT_LE(*curve.closed->requests_per_s.low, curve.closed->requests_per_s.value);
  EXPECT_GE(*curve.closed->requests_per_s.high, curve.closed->requests_per_s.value);
  EXPECT_NEAR(curve.closed->requests_per_s.value, curve.closed->output_tokens_per_s.value / 500, 1e-9);
  EXPECT_EQ(curve.closed->bracket_low, 16);
  EXPECT_EQ(curve.closed->bracket_high, 48);
  ASSERT_TRUE(curve.closed->interpolated);
  EXPECT_NEAR(curve.closed->interpolated->load, 32 * std::pow(1.5, std::log(1000.0 / 800) / std::log(2.0)), 1e-9);
  ASSERT_TRUE(curve.peak);
  EXPECT_EQ(curve.peak->at, 64);
  EXPECT_NEAR(*curve.peak->slo_multiple, 3.3, 1e-12);
  EXPECT_TRUE(curve_doubts(eight_levels(), curve, one_second).empty());
  const Curve prescribed = make_curve(eight_levels(), one_second, 500);
  EXPECT_LT(*prescribed.closed->requests_per_s.high, *curve.closed->requests_per_s.high)
      << "prescribed lengths have no spread";
}

TEST(Curve, NeverAnExtrapolation) {
  auto levels = eight_levels();
  levels.resize(6);
  Curve curve = make_curve(levels, one_second, std::nullopt);
  EXPECT_EQ(curve.closed->crossing, Crossing::above_last_level);
  EXPECT_FALSE(curve.closed->estimate_exists);
  EXPECT_EQ(curve.closed->requests_per_s.low, 1500.0 / 500) << "32 users are undecided, 16 are under";
  EXPECT_EQ(curve.closed->load.low, 16);
  EXPECT_FALSE(curve.closed->requests_per_s.high);
  levels = {eight_levels()[6], eight_levels()[7]};
  curve = make_curve(levels, one_second, std::nullopt);
  EXPECT_EQ(curve.closed->crossing, Crossing::below_first_level);
  EXPECT_EQ(curve.closed->requests_per_s.high, 3600.0 / 500);
  EXPECT_FALSE(curve.closed->requests_per_s.low);
  std::set<std::string> ids;
  for (const Doubt& doubt : curve_doubts(levels, curve, one_second)) ids.insert(doubt.id);
  EXPECT_EQ(ids, (std::set<std::string>{"few_levels", "not_bracketed"}));
}

std::string text_of(const std::vector<Doubt>& doubts, const std::string& id) {
  const auto doubt = std::ranges::find(doubts, id, &Doubt::id);
  return doubt == doubts.end() ? "" : doubt->text;
}

TEST(Curve, ALevelThatCarriedNothingIsNoUpperEnd) {
  auto levels = std::vector<LevelResult>{level_at(4, 1000, Verdict::over, 0, 0), eight_levels()[7]};
  levels[0].ttft_ms = {};
  levels[0].ttft_ms.n_all = 1000;
  const Curve curve = make_curve(levels, one_second, std::nullopt);
  EXPECT_EQ(curve.closed->crossing, Crossing::below_first_level);
  EXPECT_EQ(curve.closed->load.high, 4) << "fewer users than these";
  EXPECT_FALSE(curve.closed->requests_per_s.high);
  EXPECT_FALSE(curve.closed->requests_per_s.low);
  EXPECT_FALSE(curve.closed->output_tokens_per_s.high);
  EXPECT_NE(text_of(curve_doubts(levels, curve, one_second), "not_bracketed").find("no upper end"), std::string::npos);
}

TEST(Curve, AnOpenCapacityIsBelowTheRateThatSaturates) {
  LevelResult saturated = level_at(6, 0, Verdict::over, 0, 0, LevelKind::request_rate);
  saturated.stability = Stability::saturated;
  saturated.objectives[0].n = 0;
  saturated.ttft_ms = {};
  const Curve curve = make_curve({saturated}, one_second, std::nullopt);
  ASSERT_TRUE(curve.open);
  EXPECT_EQ(curve.open->crossing, Crossing::below_first_level);
  EXPECT_EQ(curve.open->requests_per_s.high, 6) << "nothing was completed, but so much was offered";
  EXPECT_FALSE(curve.open->output_tokens_per_s.high);
}

TEST(Curve, OnlyUndecidedLevelsGiveNoEnd) {
  const std::vector<LevelResult> levels = {level_at(16, 8, Verdict::open, 1500, 700),
                                           level_at(32, 9, Verdict::open, 2800, 800)};
  const Curve curve = make_curve(levels, one_second, std::nullopt);
  EXPECT_EQ(curve.closed->crossing, Crossing::above_last_level);
  EXPECT_FALSE(curve.closed->estimate_exists);
  EXPECT_FALSE(curve.closed->requests_per_s.low);
  EXPECT_FALSE(curve.closed->load.low);
  EXPECT_NE(text_of(curve_doubts(levels, curve, one_second), "not_bracketed").find("Undecided: 2 of 2 levels."),
            std::string::npos);
}

TEST(Curve, ACrossingOutsideTheLevelsIsNoEstimate) {
  // 20 of 1,000 at the lowest load: not decided, yet load* lies below it.
  auto levels = std::vector<LevelResult>{level_at(32, 20, Verdict::open, 2800, 1200),
                                         level_at(64, 150, Verdict::over, 3700, 3300)};
  const Curve curve = make_curve(levels, one_second, std::nullopt);
  EXPECT_NE(curve.closed->crossing, Crossing::below_first_level) << "the lowest load is not over";
  EXPECT_FALSE(curve.closed->estimate_exists);
  EXPECT_FALSE(curve.closed->requests_per_s.low);
  EXPECT_FALSE(curve.closed->requests_per_s.high);
  EXPECT_FALSE(text_of(curve_doubts(levels, curve, one_second), "not_bracketed").empty());
}

TEST(Curve, ALevelThatMeasuredNothingIsNotTheLowest) {
  auto levels = std::vector<LevelResult>{level_at(1, 0, Verdict::open, 0, 0), eight_levels()[6], eight_levels()[7]};
  levels[0].objectives[0].n = 0;
  levels[0].ttft_ms = {};
  const Curve curve = make_curve(levels, one_second, std::nullopt);
  EXPECT_EQ(curve.closed->crossing, Crossing::below_first_level);
  EXPECT_EQ(curve.closed->requests_per_s.high, 3600.0 / 500);
}

TEST(Curve, WithoutTokenCountsTheCapacityIsOfRequests) {
  auto levels = eight_levels();
  const Curve counted = make_curve(levels, one_second, 500);
  for (LevelResult& level : levels) {
    level.tokens_counted = false;
    level.completion_tokens = {};
  }
  for (const std::optional<double> mean : {std::optional<double>(), std::optional<double>(500)}) {
    const Curve curve = make_curve(levels, one_second, mean);
    EXPECT_TRUE(curve.closed->estimate_exists);
    EXPECT_NEAR(curve.closed->requests_per_s.value, counted.closed->requests_per_s.value, 1e-9)
        << "X is the aggregate / 500 here";
    EXPECT_NEAR(*curve.closed->requests_per_s.low, *counted.closed->requests_per_s.low, 1e-9);
    EXPECT_EQ(curve.closed->output_tokens_per_s.value, 0);
    EXPECT_FALSE(curve.closed->output_tokens_per_s.high);
    EXPECT_FALSE(curve.peak);
  }
  levels.resize(5);
  EXPECT_FALSE(make_curve(levels, one_second, std::nullopt).closed->output_tokens_per_s.low);
  EXPECT_EQ(make_curve(levels, one_second, std::nullopt).closed->requests_per_s.low, 3);
}

TEST(Curve, ThePeaksMultipleIsOfAnObjectiveOnP99Only) {
  const std::vector<Objective> median = {{Latency::ttft, 0.5, std::chrono::seconds(1)}};
  ASSERT_TRUE(make_curve(eight_levels(), median, std::nullopt).peak);
  EXPECT_FALSE(make_curve(eight_levels(), median, std::nullopt).peak->slo_multiple);
}

TEST(Curve, WithoutAnObjectiveThereIsOnlyThePeak) {
  const Curve curve = make_curve(eight_levels(), {}, std::nullopt);
  EXPECT_FALSE(curve.closed);
  EXPECT_EQ(curve.peak->aggregate_output_tokens_per_s, 3700);
  EXPECT_FALSE(curve.peak->slo_multiple);
}

TEST(Curve, AnyPercentileIsInterpolatedByItsOwnValues) {
  // docs/method.md section 4's curve, as p90 of a class: the same crossing. p99 of all requests says nothing of it.
  const double loads[] = {8, 32, 64, 96}, aggregates[] = {1900, 5600, 7800, 8400}, p90[] = {340, 720, 1450, 3100};
  const Objective objective{Latency::ttft, 0.90, 1000ms, RequestClass{ClassBy::prompt, 1, 2000}};
  std::vector<LevelResult> levels;
  for (std::size_t i = 0; i < 4; ++i) {
    LevelResult level;
    level.level.target = loads[i];
    level.aggregate_output_tokens_per_s = aggregates[i];
    level.ttft_ms.p99_failures_as_infinite = 1;
    level.ttft_ms.n_all = 1000;
    ObjectiveResult result{objective, 1000, 10, 1, 0, 1, i < 2 ? Verdict::under : Verdict::over};
    result.value_ms = p90[i];
    result.n_eff = 400;
    level.objectives = {result};
    levels.push_back(level);
  }
  Curve curve = make_curve(levels, {objective}, std::nullopt);
  ASSERT_TRUE(curve.closed->interpolated);
  EXPECT_NEAR(curve.closed->interpolated->load, 44.3004, 5e-5);
  EXPECT_NEAR(curve.closed->interpolated->output_tokens_per_s, 6542.08, 5e-3);
  levels[2].objectives[0].value_ms.reset();  // so many failed that p90 is infinite
  curve = make_curve(levels, {objective}, std::nullopt);
  EXPECT_FALSE(curve.closed->interpolated) << "no place between a number and infinity";
}

TEST(Curve, TheTightestObjectiveBinds) {
  auto levels = eight_levels();
  const std::vector<Objective> both = {{Latency::ttft, 0.99, 1000ms}, {Latency::e2e, 0.90, 20s}};
  for (LevelResult& level : levels) {
    const bool is_over = level.level.target >= 16;
    const std::uint64_t above = is_over ? 300 : level.level.target >= 8 ? 70 : 5;
    level.objectives.push_back({both[1], 1000, above, 1, 0, 1, is_over ? Verdict::over : Verdict::under});
  }
  const Curve curve = make_curve(levels, both, std::nullopt);
  EXPECT_EQ(curve.closed->binding_objective, 1u);
  EXPECT_GT(curve.closed->load.value, 8);
  EXPECT_LT(curve.closed->load.value, 16);
  EXPECT_FALSE(curve.closed->interpolated) << "levels hold p99, not p90 of all";
}

TEST(Curve, OpenAndClosedLevelsAreNeverMixed) {
  auto levels = eight_levels();
  const Curve alone = make_curve(levels, one_second, 500);
  for (const auto& [rate, above, verdict] :
       {std::tuple(4.0, 1ull, Verdict::under), {5.0, 4ull, Verdict::open}, {6.0, 60ull, Verdict::over}}) {
    levels.push_back(
        level_at(rate, above, verdict, rate * 500, 900 + static_cast<double>(above) * 10, LevelKind::request_rate));
  }
  const Curve curve = make_curve(levels, one_second, 500);
  EXPECT_EQ(curve.closed->load.value, alone.closed->load.value);
  ASSERT_TRUE(curve.open);
  EXPECT_EQ(curve.open->kind, LevelKind::request_rate);
  EXPECT_EQ(curve.open->requests_per_s.value, curve.open->load.value) << "an open capacity is the rate itself";
  EXPECT_GT(curve.open->load.value, 4);
  EXPECT_LT(curve.open->load.value, 6);
}

TEST(Curve, ImportedRowsHaveOnlyTheInterpolation) {
  auto levels = eight_levels();
  for (LevelResult& level : levels) level.objectives.clear();
  const Curve curve = make_curve(levels, one_second, std::nullopt);
  ASSERT_TRUE(curve.closed);
  EXPECT_FALSE(curve.closed->estimate_exists);
  EXPECT_EQ(curve.closed->crossing, Crossing::bracketed);
  EXPECT_EQ(curve.closed->load.value, curve.closed->interpolated->load);
  EXPECT_FALSE(curve.closed->load.low);
}

TEST(Curve, ACurveThatFallsIsDoubted) {
  auto levels = eight_levels();
  levels[2] = level_at(4, 0, Verdict::under, 390, 900);
  const auto doubts = curve_doubts(levels, make_curve(levels, one_second, 500), one_second);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].id, "not_monotone");
}

/// Runs the ladder against an engine known in closed form: aggregate and p99 by load; knee where slots are full.
std::vector<double> climb(const LadderSettings& settings, double knee, double crossing) {
  std::vector<LevelResult> results;
  std::vector<double> loads;
  while (const auto load = next_level(results, settings)) {
    if (loads.size() > 40) return {};
    loads.push_back(*load);
    const double aggregate = 100 * std::min(*load, knee), p99 = 1000 * std::pow(*load / crossing, 2);
    results.push_back(level_at(*load, 0, p99 > 1000 ? Verdict::over : Verdict::under, aggregate, p99));
  }
  return loads;
}

TEST(Ladder, DoublesThenGoesOutwardThenFillsTheBracket) {
  LadderSettings settings;
  settings.objectives = one_second;
  const auto loads = climb(settings, 60, 50);
  // 64 is over, 96 too and flat; then three in the bracket 32..64 as it narrows.
  EXPECT_EQ(loads, (std::vector<double>{1, 2, 4, 8, 16, 32, 64, 96, 45, 54, 49}));
}

TEST(Ladder, SmallCapacitiesAreWidenedToEightLevels) {
  LadderSettings settings;
  settings.objectives = one_second;
  const auto loads = climb(settings, 1000, 1.5);
  EXPECT_GE(loads.size(), 8u);
  EXPECT_EQ(loads[0], 1);
  EXPECT_EQ(loads[1], 2);
  EXPECT_EQ(std::set<double>(loads.begin(), loads.end()).size(), loads.size()) << "no load twice";
}

TEST(Ladder, WithoutAnObjectiveUntilTheAggregateIsFlat) {
  const auto loads = climb({}, 10, 50);
  EXPECT_EQ(std::vector<double>(loads.begin(), loads.begin() + 7), (std::vector<double>{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(loads.size(), 8u);
  EXPECT_EQ(climb({}, 1e9, 1e9).back(), 1024) << "never flat: to the most users";
}

TEST(Ladder, WithoutTokenCountsRequestsTellWhetherItIsFlat) {
  std::vector<LevelResult> results;
  while (const auto load = next_level(results, {})) {
    ASSERT_LT(results.size(), 20u);
    results.push_back(level_at(*load, 0, Verdict::open, 500 * std::min(*load, 10.0), 100));
    results.back().tokens_counted = false;
    results.back().aggregate_output_tokens_per_s = 0;
  }
  EXPECT_EQ(results[6].level.target, 64);
  EXPECT_EQ(results.size(), 8u);
}

TEST(Ladder, NeverAboveTheMostUsersAndEndsThere) {
  LadderSettings settings;
  settings.objectives = one_second;
  settings.most_users = 24;
  const auto loads = climb(settings, 1000, 500);
  EXPECT_EQ(*std::ranges::max_element(loads), 24);
  EXPECT_EQ(loads.size(), 8u);
}

TEST(Ladder, ATargetThatIsOverFromTheFirstUser) {
  LadderSettings settings;
  settings.objectives = one_second;
  const auto loads = climb(settings, 3, 0.5);
  EXPECT_GE(loads.size(), 8u);
  EXPECT_EQ(loads[0], 1);
  EXPECT_LE(loads.size(), 12u);
}

}  // namespace
}  // namespace loadline
