#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "plan/make_plan.h"
#include "plan/unit_arrivals.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

Level rate_level(Arrivals arrivals, double rate, double burstiness = 1) {
  return {LevelKind::request_rate, rate, arrivals, burstiness};
}

Plan plan_of(const Workload& workload, const Level& level, std::size_t initial_in_flight = 0) {
  PlanSettings settings;
  settings.level = level;
  settings.seed = 5;
  settings.initial_in_flight = initial_in_flight;
  return make_plan(workload, settings);
}

Request turn_of(SessionIndex session, std::optional<Nanos> arrival, std::optional<Nanos> think = {}) {
  Request request;
  request.prompt.length = Tokens(10);
  request.completion = Tokens(5);
  request.session = session;
  request.arrival = arrival;
  request.think = think;
  return request;
}

/// Due times in words: "3" or "3.5" seconds, "2+1.5": 1.5 s after request 2, "user".
std::string due_of(const PlannedRequest& planned) {
  const auto number = [](Nanos span) {
    std::string text = std::to_string(seconds(span));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  };
  if (const auto* offset = std::get_if<AtOffset>(&planned.due)) return number(offset->after_level_start);
  if (const auto* turn = std::get_if<AfterTurn>(&planned.due)) {
    const std::string wait = std::to_string(turn->before) + "+" + number(turn->pause);
    return turn->not_before > Nanos(0) ? wait + " from " + number(turn->not_before) : wait;
  }
  return "user";
}

std::vector<std::string> dues_of(const Plan& plan) {
  std::vector<std::string> dues;
  for (const PlannedRequest& planned : plan.requests) dues.push_back(due_of(planned));
  return dues;
}

using Dues = std::vector<std::string>;

TEST(GammaArrivals, MeanDeviationAndIndependenceOfGaps) {
  constexpr int n = 200'000;
  for (const double shape : {0.05, 0.25, 0.5, 1.0, 2.0, 16.0, 1000.0}) {
    SCOPED_TRACE(shape);
    UnitArrivals arrivals(rate_level(Arrivals::gamma, 1, shape), 12);
    double before = 0, sum = 0, squares = 0, lagged = 0, last_gap = 1;
    for (int i = 0; i < n; ++i) {
      const double at = arrivals.next();
      const double gap = at - before;
      ASSERT_GE(gap, 0);
      sum += gap;
      squares += gap * gap;
      lagged += (gap - 1) * (last_gap - 1);
      before = at;
      last_gap = gap;
    }
    const double mean = sum / n, variance = squares / n - mean * mean;
    // Mean 1 with the standard error sqrt(1 / shape / n). The variance 1 / shape has, by the fourth moment of the law,
    // the relative standard error sqrt((2 + 6 / shape) / n).
    EXPECT_NEAR(mean, 1, 4 * std::sqrt(1 / shape / n));
    EXPECT_NEAR(variance * shape, 1, 4 * std::sqrt((2 + 6 / shape) / n));
    EXPECT_NEAR(lagged / n * shape, 0, 4 / std::sqrt(n));
  }
}

/// Kolmogorov's distance of the sample to a law.
template <class Law>
double distance_to(std::vector<double> sample, Law below) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    distance = std::max(distance, std::abs(below(sample[i]) - (static_cast<double>(i) + 0.5) / n));
  }
  return distance;
}

TEST(GammaArrivals, LawsWithAFormula) {
  // Shape 1: exponential. Shape 2: 1 - e^-x (1 + x). Shape 1/2: erf(sqrt x).
  const auto sample = [](double shape) {
    Random random(77);
    std::vector<double> values(50'000);
    for (double& value : values) value = gamma_variate(shape, random);
    return values;
  };
  const double critical = 1.95 / std::sqrt(50'000.0);  // probability 0.001
  EXPECT_LT(distance_to(sample(1), [](double x) { return 1 - std::exp(-x); }), critical);
  EXPECT_LT(distance_to(sample(2), [](double x) { return 1 - std::exp(-x) * (1 + x); }), critical);
  EXPECT_LT(distance_to(sample(0.5), [](double x) { return std::erf(std::sqrt(x)); }), critical);
}

TEST(GammaArrivals, OneSeedOnePlanAndTheSameAtEveryRate) {
  Workload workload;
  for (int i = 0; i < 200; ++i) workload.requests.push_back(turn_of(no_session, {}));
  const Plan slow = plan_of(workload, rate_level(Arrivals::gamma, 2, 0.5));
  EXPECT_EQ(plan_digest(slow), plan_digest(plan_of(workload, rate_level(Arrivals::gamma, 2, 0.5))));
  const Plan fast = plan_of(workload, rate_level(Arrivals::gamma, 8, 0.5));
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_NEAR(seconds(std::get<AtOffset>(slow.requests[i].due).after_level_start),
                4 * seconds(std::get<AtOffset>(fast.requests[i].due).after_level_start), 1e-8);
  }
}

TEST(LoggedArrivals, AbsoluteAndScaled) {
  Workload workload;
  for (const Nanos arrival : {0ms, 1000ms, 1000ms, 7000ms}) workload.requests.push_back(turn_of(no_session, arrival));
  Level level = rate_level(Arrivals::trace, 1);
  EXPECT_EQ(dues_of(plan_of(workload, level)), (Dues{"0", "1", "1", "7"}));
  EXPECT_EQ(dues_of(plan_of(workload, level, 3)), (Dues{"0", "1", "1", "7"})) << "nothing moves the log's times";
  level.arrival_scale = 4;
  level.target = 99;
  EXPECT_EQ(dues_of(plan_of(workload, level)), (Dues{"0", "0.25", "0.25", "1.75"}));
}

TEST(LoggedArrivals, PausesAreTheLogsAndUnknownArrivalsComeWithTheOneBefore) {
  Workload workload;
  workload.requests = {turn_of(0, 0ms),        turn_of(1, 2s), turn_of(0, {}, 3s),  // waits for 0
                       turn_of(1, 6s),         // its pause is unknown: at its own time
                       turn_of(7, {}, 1s),     // its turn before is not in the plan, its arrival unknown
                       turn_of(0, 9s, 500ms),  // waits for 2, though its time is known
                       turn_of(no_session, 8s)};
  Level level = rate_level(Arrivals::trace, 1);
  level.arrival_scale = 2;
  EXPECT_EQ(dues_of(plan_of(workload, level)), (Dues{"0", "1", "0+3", "1+0 from 3", "3", "2+0.5", "4"}));
}

TEST(Turns, InAClosedLoopAUserTakesItsNextTurnAtOnce) {
  Workload workload;
  workload.requests = {turn_of(4, {}), turn_of(no_session, {}), turn_of(4, {}, 3s),
                       turn_of(5, {}), turn_of(no_session, {}), turn_of(4, {})};
  Level level;
  level.target = 2;
  EXPECT_EQ(dues_of(plan_of(workload, level)), (Dues{"user", "user", "0+0", "user", "user", "2+0"}));
}

TEST(Turns, TheOfferedRateIsTheLevelsWithThoseThatWait) {
  // Three of four wait: the fourth part comes at a quarter of 8 requests/s.
  Workload workload;
  for (SessionIndex session = 0; session < 100; ++session) {
    for (int turn = 0; turn < 4; ++turn) {
      workload.requests.push_back(turn_of(session, {}, turn > 0 ? std::optional<Nanos>(1s) : std::nullopt));
    }
  }
  PlanSettings settings{rate_level(Arrivals::constant, 8)};
  settings.think_times = true;
  const Plan plan = make_plan(workload, settings);
  for (std::size_t i = 0; i < 400; ++i) {
    if (i % 4 == 0) {
      const Nanos due = std::get<AtOffset>(plan.requests[i].due).after_level_start;
      EXPECT_EQ(due, 500ms * static_cast<std::int64_t>(i / 4 + 1));
    } else {
      EXPECT_EQ(due_of(plan.requests[i]), std::to_string(i - 1) + "+1");
    }
  }
  settings.initial_in_flight = 3;
  const Plan filled = make_plan(workload, settings);
  EXPECT_EQ(due_of(filled.requests[8]), "0") << "the third of those that come by themselves";
  EXPECT_EQ(due_of(filled.requests[12]), "0.5");
}

TEST(Turns, OfAProcessTheyComeAtItsTimesAndNeverBeforeTheirTurnBefore) {
  Workload workload;
  workload.requests = {turn_of(0, {}), turn_of(no_session, {}), turn_of(0, {}, 9s), turn_of(0, {}, -2s)};
  EXPECT_EQ(dues_of(plan_of(workload, rate_level(Arrivals::constant, 2))),
            (Dues{"0.5", "1", "0+0 from 1.5", "2+0 from 2"}));
}

TEST(Turns, WithThinkTimesThoseWithoutAKnownPauseComeAtTheProcessesTimes) {
  Workload workload;
  workload.requests = {turn_of(0, {}), turn_of(0, {}), turn_of(0, {}, -2s)};
  PlanSettings settings{rate_level(Arrivals::constant, 2)};
  settings.think_times = true;
  EXPECT_EQ(dues_of(make_plan(workload, settings)), (Dues{"0.75", "0+0 from 1.5", "1+0"}));
}

TEST(Turns, EachIsNamedAtMostOnceByALaterOne) {
  Random random(3);
  Workload workload;
  for (int i = 0; i < 2000; ++i) {
    const auto session = static_cast<SessionIndex>(random.below(60));
    workload.requests.push_back(turn_of(session < 10 ? no_session : session, {}, 1s));
  }
  Level level;
  const Plan plan = plan_of(workload, level);
  std::vector<int> named(2000);
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto* turn = std::get_if<AfterTurn>(&plan.requests[i].due);
    if (turn == nullptr) continue;
    ASSERT_LT(turn->before, i);
    EXPECT_EQ(plan.requests[turn->before].request.session, plan.requests[i].request.session);
    EXPECT_EQ(++named[turn->before], 1);
  }
  EXPECT_GT(std::count(named.begin(), named.end(), 1), 1500);
}

}  // namespace
}  // namespace loadline
