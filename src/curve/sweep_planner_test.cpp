// Sweeps of a server known in closed form: the share of its requests that are too slow is a logistic curve in ln load.

#include "curve/sweep_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "curve/hysteresis.h"
#include "curve/operating_point.h"
#include "curve/search_steps.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

const std::vector<Objective> second_at_p99 = {{Latency::ttft, 0.99, 1000ms}};

struct KnownServer {
  double crossing = 50, slope = 5;            // users
  double open_crossing = 8, open_slope = 12;  // requests/s
  double most_requests_per_s = 12;
  double overhead_s = 30;  // of a level, beside its window

  double share(LevelKind kind, double load) const {
    const bool closed = kind == LevelKind::concurrency;
    const double x =
        std::log(0.01 / 0.99) + (closed ? slope : open_slope) * std::log(load / (closed ? crossing : open_crossing));
    return 1 / (1 + std::exp(-x));
  }

  LevelResult run(const Level& level, std::uint32_t ordinal) const {
    LevelResult result;
    result.ordinal = ordinal;
    result.level = level;
    const double x =
        level.kind == LevelKind::request_rate ? level.target : most_requests_per_s * level.target / (level.target + 10);
    const double longest_s = level.target <= 4 ? 60 : 600;
    const auto n = level.requests > 0 ? level.requests : static_cast<std::uint32_t>(std::min(1250.0, longest_s * x));
    const double v = share(level.kind, level.target);
    const auto above = static_cast<std::uint64_t>(std::llround(v * n));
    const Verdict verdict = v > 0.02 ? Verdict::over : v < 0.005 ? Verdict::under : Verdict::open;
    result.objectives = {{second_at_p99[0], n, above, 1, 0, 1, verdict}};
    result.verdict = verdict;
    result.stability = Stability::decided;
    result.measured_requests = n;
    result.completed_requests_per_s = x;
    result.aggregate_output_tokens_per_s = 500 * x;
    result.completion_tokens.n = n;
    result.completion_tokens.mean = 500;
    result.measured_s = n / x;
    result.engine_s = result.measured_s + overhead_s;
    result.ttft_ms.p99 = result.ttft_ms.p99_failures_as_infinite = 1000 * std::pow(level.target / crossing, 2);
    return result;
  }
};

SweepGoal goal_with_objective() {
  SweepGoal goal;
  goal.objectives = second_at_p99;
  goal.workload_mean_completion = 500;
  return goal;
}

std::vector<LevelResult> run_all(SweepPlanner& planner, const KnownServer& server = {}) {
  std::vector<LevelResult> results;
  while (const std::optional<Level> level = planner.next(results)) {
    if (results.size() > 300) {
      ADD_FAILURE() << "a sweep ends";
      break;
    }
    results.push_back(server.run(*level, static_cast<std::uint32_t>(results.size())));
  }
  return results;
}

std::vector<LevelResult> of(const std::vector<LevelResult>& results, LevelPurpose purpose) {
  std::vector<LevelResult> chosen;
  for (const LevelResult& one : results) {
    if (one.level.purpose == purpose) chosen.push_back(one);
  }
  return chosen;
}

double engine_time(const std::vector<LevelResult>& results, LevelKind kind) {
  double sum = 0;
  for (const LevelResult& one : results) sum += one.level.kind == kind ? one.engine_s : 0;
  return sum;
}

TEST(SweepPlanner, ACurveThenVisitsUntilTheCapacityIsKnown) {
  SweepPlanner planner(goal_with_objective());
  const auto results = run_all(planner);
  EXPECT_EQ(planner.closed_end(), SweepEnd::precision);
  EXPECT_FALSE(planner.open_end());
  const auto ladder = of(results, LevelPurpose::ladder), visits = of(results, LevelPurpose::visit);
  EXPECT_EQ(ladder.size() + visits.size(), results.size());
  EXPECT_GE(ladder.size(), 8u);
  EXPECT_GE(visits.size(), 13u) << "12, and close enough twice in a row";
  for (const LevelResult& one : ladder) EXPECT_EQ(one.level.requests, 0u) << "as the rules say";
  for (const LevelResult& one : visits) {
    EXPECT_EQ(one.level.requests, 1000u);
    EXPECT_EQ(one.level.target, std::round(one.level.target));
    EXPECT_GT(one.level.target, 50 * std::exp(-0.4));
    EXPECT_LT(one.level.target, 50 * std::exp(0.4));
  }
  const Curve curve = make_curve(results, second_at_p99, 500);
  ASSERT_TRUE(curve.closed && curve.closed->estimate_exists);
  EXPECT_LT(*curve.closed->load.low, 50);
  EXPECT_GT(*curve.closed->load.high, 50);
  const double precision = (*curve.closed->requests_per_s.high - *curve.closed->requests_per_s.low) /
                           (2 * curve.closed->requests_per_s.value);
  EXPECT_LE(precision, 0.05);
}

TEST(SweepPlanner, ThePlacesOfVisitsComeInTurn) {
  CrossingEstimate crossing;
  crossing.load.value = 100;
  crossing.slope_below = 2;   // 1/s = 0.5: held at 0.25
  crossing.slope_above = 10;  // 1/s = 0.1
  const VisitRules rules = closed_visits(0.05);
  std::vector<double> loads;
  for (std::size_t visit = 0; visit < 7; ++visit) loads.push_back(visit_load(crossing, visit, rules, 1024));
  EXPECT_EQ(loads, (std::vector<double>{100, 111, 78, 105, 88, 100, 111}));
  EXPECT_EQ(visit_load(crossing, 1, rules, 104), 104) << "never above the most users";
  crossing.load.value = 0.2;
  EXPECT_EQ(visit_load(crossing, 0, rules, 1024), 1) << "nor below one";
  crossing.load.value = 7.7163;
  EXPECT_DOUBLE_EQ(visit_load(crossing, 0, open_visits(0.05), 1), 7.72) << "rates are no users";
}

TEST(SweepPlanner, ASearchRampsUpWithFewRequests) {
  SweepGoal goal = goal_with_objective();
  goal.search = true;
  SweepPlanner planner(goal);
  const auto results = run_all(planner);
  EXPECT_EQ(planner.closed_end(), SweepEnd::precision);
  const auto ramp = of(results, LevelPurpose::ramp);
  std::vector<double> loads;
  std::vector<std::uint32_t> requests;
  for (const LevelResult& one : ramp) loads.push_back(one.level.target), requests.push_back(one.level.requests);
  EXPECT_EQ(loads, (std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128})) << "3% at 64, above 5% at 128";
  EXPECT_EQ(requests, (std::vector<std::uint32_t>{30, 30, 120, 300, 300, 300, 300, 300}));
  EXPECT_EQ(of(results, LevelPurpose::visit).size() + ramp.size(), results.size());
}

TEST(SweepPlanner, TheBudgetEndsIt) {
  for (const bool search : {false, true}) {
    for (const double budget : {1200.0, 3600.0}) {
      SweepGoal goal = goal_with_objective();
      goal.search = search;
      goal.precision = 0.001;
      goal.closed_budget_s = budget;
      SweepPlanner planner(goal);
      const auto results = run_all(planner);
      EXPECT_EQ(planner.closed_end(), SweepEnd::budget);
      EXPECT_FALSE(of(results, LevelPurpose::visit).empty()) << "the curve leaves room for visits";
      EXPECT_LE(engine_time(results, LevelKind::concurrency), budget);
      EXPECT_GT(engine_time(results, LevelKind::concurrency), 0.75 * budget);
    }
  }
}

TEST(SweepPlanner, AUsersListIsHonoured) {
  SweepGoal goal = goal_with_objective();
  for (const double users : {64.0, 8.0, 96.0}) goal.listed.push_back({LevelKind::concurrency, users, Arrivals::closed});
  SweepPlanner planner(goal);
  const auto results = run_all(planner);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].level.target, 64);
  EXPECT_EQ(results[1].level.target, 8);
  EXPECT_EQ(results[2].level.target, 96);
  EXPECT_EQ(planner.closed_end(), SweepEnd::listed);
}

TEST(SweepPlanner, WithoutRefinementTheCurveAlone) {
  SweepGoal goal = goal_with_objective();
  goal.refine = false;
  SweepPlanner planner(goal);
  const auto results = run_all(planner);
  EXPECT_EQ(of(results, LevelPurpose::ladder).size(), results.size());
  EXPECT_EQ(planner.closed_end(), SweepEnd::curve);
  SweepPlanner aimless{SweepGoal{}};
  const auto curve = run_all(aimless);
  EXPECT_EQ(of(curve, LevelPurpose::ladder).size(), curve.size()) << "no objective, nothing to visit";
  EXPECT_EQ(aimless.closed_end(), SweepEnd::curve);
}

TEST(SweepPlanner, WhatIsNeverCrossedIsNotVisited) {
  SweepGoal goal = goal_with_objective();
  goal.most_users = 16;
  goal.open = true;
  SweepPlanner planner(goal);
  const auto results = run_all(planner, {.crossing = 5000, .slope = 5});
  EXPECT_TRUE(of(results, LevelPurpose::visit).empty());
  EXPECT_EQ(planner.closed_end(), SweepEnd::not_crossed);
  EXPECT_EQ(planner.open_end(), SweepEnd::not_crossed);
}

TEST(SweepPlanner, TheOpenCapacityIsFoundAfterTheClosedOne) {
  SweepGoal goal = goal_with_objective();
  goal.open = true;
  SweepPlanner planner(goal);
  const auto results = run_all(planner);
  const auto steps = of(results, LevelPurpose::step);
  ASSERT_GE(steps.size(), 2u);
  // 10 requests/s are carried at 50 users.
  EXPECT_NEAR(steps[0].level.target, 7.5, 0.4);
  EXPECT_NEAR(steps[1].level.target / steps[0].level.target, 1.15, 0.005) << "below: upwards";
  std::vector<LevelResult> visits;
  for (const LevelResult& one : results) {
    if (one.level.kind != LevelKind::request_rate) continue;
    EXPECT_EQ(one.level.arrivals, Arrivals::poisson);
    EXPECT_EQ(one.level.requests, 2000u);
    if (one.level.purpose == LevelPurpose::visit) visits.push_back(one);
  }
  EXPECT_GE(visits.size(), 9u);
  EXPECT_EQ(planner.open_end(), SweepEnd::precision);
  const Curve curve = make_curve(results, second_at_p99, 500);
  ASSERT_TRUE(curve.open && curve.open->estimate_exists);
  EXPECT_LT(*curve.open->load.low, 8);
  EXPECT_GT(*curve.open->load.high, 8);
}

TEST(SweepPlanner, AnOpenSearchKeepsItsBudgetFromItsFirstStepOn) {
  SweepGoal goal = goal_with_objective();
  goal.open = true;
  goal.open_budget_s = 900;
  SweepPlanner planner(goal);
  const auto results = run_all(planner);
  EXPECT_EQ(planner.open_end(), SweepEnd::budget);
  EXPECT_LE(engine_time(results, LevelKind::request_rate), 900 + 60);
  for (const LevelResult& one : of(results, LevelPurpose::step)) EXPECT_LE(one.level.requests, 700u) << "of 75 s";
}

TEST(SweepPlanner, AnExtentOfTheUserHoldsForVisitsToo) {
  SweepGoal goal = goal_with_objective();
  goal.extent_is_prescribed = true;
  SweepPlanner planner(goal);
  for (const LevelResult& one : run_all(planner)) EXPECT_EQ(one.level.requests, 0u);
}

TEST(SweepPlanner, UpAndDownWalksTheLoadsBack) {
  SweepGoal goal;
  for (const double users : {2.0, 8.0, 4.0}) goal.listed.push_back({LevelKind::concurrency, users, Arrivals::closed});
  goal.up_and_down = true;
  SweepPlanner planner(goal);
  auto results = run_all(planner);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[3].level.target, 4);
  EXPECT_EQ(results[4].level.target, 2);
  EXPECT_EQ(results[4].level.purpose, LevelPurpose::backward);
  auto rows = compare_up_and_down(results);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].up, 2u);
  EXPECT_EQ(rows[0].down, 3u);
  EXPECT_TRUE(rows[0].difference.empty() && rows[1].difference.empty());
  results[4].aggregate_output_tokens_per_s *= 0.85;
  rows = compare_up_and_down(results);
  EXPECT_TRUE(rows[0].difference.empty());
  EXPECT_NE(rows[1].difference.find("aggregate"), std::string::npos);
  const auto doubts = curve_doubts(results, make_curve(results, {}, 500), {});
  EXPECT_TRUE(std::ranges::any_of(doubts, [](const Doubt& doubt) { return doubt.id == "hysteresis"; }));
}

TEST(OpenSteps, GoBothWaysUntilBothSidesAreKnown) {
  const KnownServer server;
  const auto at = [&](double rate) { return server.run({LevelKind::request_rate, rate, Arrivals::poisson}, 0); };
  EXPECT_EQ(next_open_step({}, 9), 9);
  const std::vector<LevelResult> too_fast = {at(9)};
  EXPECT_NEAR(*next_open_step(too_fast, 9), 9 / 1.15, 1e-12);
  const std::vector<LevelResult> both = {at(9), at(9 / 1.15)};
  EXPECT_FALSE(next_open_step(both, 9));
  LevelResult saturated = at(5);
  saturated.stability = Stability::saturated;
  saturated.objectives[0].above = 0;
  EXPECT_NEAR(*next_open_step(std::vector{saturated}, 9), 5 / 1.15, 1e-12) << "a queue that grows is above any limit";
}

}  // namespace
}  // namespace loadline
