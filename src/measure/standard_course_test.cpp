#include "measure/standard_course.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "measure/level_driver_test.h"
#include "measure/measure.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

Level users(double count) { return {LevelKind::concurrency, count, Arrivals::closed}; }
Level rate(double per_second) { return {LevelKind::request_rate, per_second, Arrivals::constant}; }

/// First token after `first` give or take a tenth, 10 tokens 10 ms apart; requests differ but do not depend on each
/// other.
AnswerOf steady(Nanos first) {
  return [first](std::uint32_t serial, std::uint32_t) {
    Random random(serial + 1);
    return Answer{nanos(Seconds(seconds(first) * (0.9 + 0.2 * random.uniform()))), 10ms, 10, Outcome::ok};
  };
}
LevelRules with_objective(Nanos limit) {
  LevelRules rules;
  rules.objectives = {{Latency::ttft, 0.99, limit}};
  return rules;
}

std::size_t due_inside(const LevelRecords& records) {
  return static_cast<std::size_t>(std::ranges::count_if(records.requests, [&](const RequestRecord& r) {
    return r.due && *r.due >= *records.window_start && *r.due < *records.window_end;
  }));
}

TEST(StandardCourse, ClosedWarmupNeedsTheFirstRequestsTwiceAsManyAndTenSeconds) {
  StandardCourse course(users(8), with_objective(1s));
  const LevelRecords quick = drive(course, users(8), {}, 20000, steady(100ms));
  EXPECT_EQ(*course.window_start(), run_start + 10s) << "time is the last to come";
  // One of the first eight takes 25 s.
  StandardCourse waiting(users(8), with_objective(60s));
  const LevelRecords slow = drive(waiting, users(8), {}, 20000, [](std::uint32_t serial, std::uint32_t) {
    return Answer{serial == 3 ? Nanos(25s) : Nanos(100ms), 1ms, 2, Outcome::ok};
  });
  EXPECT_EQ(*waiting.window_start(), run_start + 25s + 1ms);
}

TEST(StandardCourse, ADecidedVerdictClosesTheWindowAtTheSecondCheck) {
  StandardCourse course(users(8), with_objective(1s));
  const LevelRecords records = drive(course, users(8), {}, 20000, steady(100ms));
  EXPECT_EQ(course.phase(records.ended), Phase::finished);
  EXPECT_EQ(course.verdict(), Verdict::under);
  EXPECT_GE(course.measured(), 1250u);
  EXPECT_LE(course.measured(), 1250u + 8u) << "at the check, not later";
  EXPECT_EQ(due_inside(records), course.measured());
  for (const RequestRecord& record : records.requests) {
    const bool is_cut_off = record.outcome == Outcome::censored && *record.due < *records.window_end;
    EXPECT_FALSE(is_cut_off) << "R has ended";
  }
  const auto after =
      std::ranges::count_if(records.requests, [&](const RequestRecord& r) { return *r.due >= *records.window_end; });
  EXPECT_GT(after, 0) << "the load is kept on while R ends";
  const LevelResult result = measure(records, with_objective(1s), {});
  EXPECT_EQ(result.stability, course.stability());
  EXPECT_EQ(result.verdict, Verdict::under);
}

TEST(StandardCourse, OverIsDecidedToo) {
  StandardCourse course(users(8), with_objective(50ms));
  const LevelRecords records = drive(course, users(8), {}, 20000, steady(100ms));
  EXPECT_EQ(course.verdict(), Verdict::over);
  EXPECT_EQ(measure(records, with_objective(50ms), {}).verdict, Verdict::over);
}

TEST(StandardCourse, WithoutAnObjectiveItStabilises) {
  StandardCourse course(users(8), {});
  const LevelRecords records = drive(course, users(8), {}, 20000, steady(100ms));
  EXPECT_EQ(course.stability(), Stability::stabilised);
  EXPECT_LE(course.measured(), 2443u + 8u) << "independent requests need few checks";
  const LevelResult result = measure(records, {}, {});
  EXPECT_EQ(result.stability, Stability::stabilised);
  EXPECT_EQ(result.verdict, Verdict::open);
}

TEST(StandardCourse, UntilStableIgnoresTheVerdict) {
  LevelRules rules = with_objective(100s);
  rules.until_stable = true;
  // A tail too heavy to stabilise within 5,000 requests.
  const AnswerOf heavy = [](std::uint32_t serial, std::uint32_t) {
    Random random(serial + 7);
    return Answer{nanos(Seconds(0.02 * std::pow(random.uniform(), -1.2))), 1ms, 2, Outcome::ok};
  };
  StandardCourse course(users(16), rules);
  const LevelRecords records = drive(course, users(16), {}, 20000, heavy);
  EXPECT_NE(course.stability(), Stability::decided);
  EXPECT_GT(course.measured(), 1300u);
  rules.until_stable = false;
  StandardCourse decided(users(16), rules);
  drive(decided, users(16), {}, 20000, heavy);
  EXPECT_LT(decided.measured(), course.measured());
}

TEST(StandardCourse, FewUsersEndByTimeAndAreCheckedThen) {
  StandardCourse course(users(2), with_objective(1s));
  const LevelRecords records = drive(course, users(2), {}, 20000, steady(500ms));
  EXPECT_EQ(*records.window_end - *records.window_start, 60s);
  EXPECT_LT(course.measured(), 1000u);
  EXPECT_GT(course.measured(), 150u);
  const LevelResult result = measure(records, with_objective(1s), {});
  EXPECT_EQ(result.stability, course.stability());
  EXPECT_EQ(result.measured_requests, course.measured());
}

TEST(StandardCourse, ExactlyTheRequestsAskedForWithLoadAround) {
  LevelRules rules = with_objective(1s);
  rules.num_prompts = 300;
  StandardCourse course(users(8), rules);
  const LevelRecords records = drive(course, users(8), {}, 20000, steady(100ms));
  EXPECT_EQ(due_inside(records), 300u);
  EXPECT_EQ(measure(records, rules, {}).measured_requests, 300u);
  EXPECT_GT(records.requests.size(), 300u + 16u);
}

TEST(StandardCourse, AlsoWhereManyAreDueAtOneInstant) {
  LevelRules rules;
  rules.num_prompts = 301;
  rules.warmup_requests = 5;
  StandardCourse course(users(8), rules);
  const LevelRecords records = drive(course, users(8), {}, 20000,
                                     [](std::uint32_t, std::uint32_t) { return Answer{100ms, 10ms, 10, Outcome::ok}; });
  const LevelResult result = measure(records, rules, {});
  EXPECT_EQ(result.measured_requests, 301u) << "all eight users end together";
}

TEST(StandardCourse, ExactlyNSentWithoutWarmupAndCoolDown) {
  LevelRules rules;
  rules.warmup_requests = 0;
  rules.num_prompts = 50;
  for (const Level& level : {users(8), rate(20)}) {
    StandardCourse course(level, rules);
    const LevelRecords records = drive(course, level, 50ms, 20000, steady(100ms));
    EXPECT_EQ(records.requests.size(), 50u);
    EXPECT_EQ(*records.window_start, run_start);
    EXPECT_EQ(*records.window_end, records.ended) << "the moment at which the last ended";
    const LevelResult result = measure(records, rules, {});
    EXPECT_EQ(result.measured_requests, 50u);
    EXPECT_EQ(result.warmup_requests, 0u);
    EXPECT_EQ(result.books.of(Outcome::ok), 50u);
  }
}

TEST(StandardCourse, AnExplicitDurationIsExact) {
  LevelRules rules = with_objective(1s);
  rules.duration = 7s;
  StandardCourse course(users(8), rules);
  const LevelRecords records = drive(course, users(8), {}, 20000, steady(100ms));
  EXPECT_EQ(*records.window_end - *records.window_start, 7s);
}

TEST(StandardCourse, OpenWarmupIsSixtySecondsOrThreeAnswers) {
  LevelRules rules = with_objective(1s);
  StandardCourse course(rate(20), rules);
  drive(course, rate(20), 50ms, 20000, steady(100ms));
  EXPECT_EQ(*course.window_start(), run_start + 60s);
  rules.expected_e2e = 40s;
  StandardCourse longer(rate(20), rules);
  drive(longer, rate(20), 50ms, 20000, steady(100ms));
  EXPECT_GE(*longer.window_start(), run_start + 120s);
}

TEST(StandardCourse, AGrowingQueueIsFoundAndStops) {
  // One server, 60 ms each, asked every 50 ms: the queue grows by 20 - 16.7 requests/s.
  RunTime free = run_start;
  std::uint32_t count = 0;
  const AnswerOf one_server = [&](std::uint32_t serial, std::uint32_t) {
    count = serial + 1;
    const RunTime now = run_start + 50ms * count;
    free = std::max(free, now) + 60ms;
    return Answer{free - now, 0ms, 1, Outcome::ok};
  };
  StandardCourse course(rate(20), with_objective(100s));
  const LevelRecords records = drive(course, rate(20), 50ms, 20000, one_server);
  EXPECT_EQ(course.stability(), Stability::saturated);
  EXPECT_NEAR(*course.queue_growth_per_s(), 20 - 1 / 0.06, 0.2);
  EXPECT_LT(records.ended - run_start, 80s);
  const LevelResult result = measure(records, with_objective(100s), {});
  EXPECT_EQ(result.stability, Stability::saturated);
  EXPECT_FALSE(result.ttft_ms.p99);
  EXPECT_FALSE(result.ttft_ms.p99_low);
  EXPECT_GT(result.books.of(Outcome::censored), 0u);
}

TEST(StandardCourse, ADeadTargetEndsTheLevelInItsWarmup) {
  const AnswerOf refused = [](std::uint32_t, std::uint32_t) { return Answer{1ms, 0ms, 1, Outcome::connect_failed}; };
  for (const Level& level : {users(8), users(40), rate(20)}) {
    StandardCourse course(level, with_objective(1s));
    const LevelRecords records = drive(course, level, 50ms, 20000, refused);
    EXPECT_FALSE(records.window_start);
    EXPECT_LT(records.requests.size(), level.target == 40 ? 241u : 60u);
    EXPECT_TRUE(course.reason().starts_with("every request failed during warm-up")) << course.reason();
    const LevelResult result = measure(records, with_objective(1s), {});
    EXPECT_EQ(result.stability, Stability::not_stabilised);
    EXPECT_EQ(result.stability_reason, "every request failed during warm-up");
    EXPECT_EQ(result.measured_requests, 0u);
  }
}

TEST(StandardCourse, ADeadTargetEndsTheWindowToo) {
  LevelRules rules = with_objective(1s);
  rules.warmup_requests = 0;
  const AnswerOf refused = [](std::uint32_t, std::uint32_t) { return Answer{1ms, 0ms, 1, Outcome::http_5xx}; };
  StandardCourse course(users(2), rules);
  const LevelRecords records = drive(course, users(2), {}, 20000, refused);
  EXPECT_LE(records.requests.size(), 53u);
  EXPECT_EQ(course.stability(), Stability::not_stabilised);
  EXPECT_TRUE(course.reason().starts_with("every request failed")) << course.reason();
  EXPECT_EQ(measure(records, rules, {}).stability, Stability::not_stabilised);
  rules.num_prompts = 300;
  StandardCourse exact(users(2), rules);
  EXPECT_EQ(drive(exact, users(2), {}, 20000, refused).requests.size(), 300u) << "exactly N are sent";
  // One answer in a hundred: the target lives.
  StandardCourse alive(users(2), with_objective(1s));
  const LevelRecords some = drive(alive, users(2), {}, 20000, [](std::uint32_t serial, std::uint32_t) {
    return Answer{10ms, 0ms, 1, serial % 100 == 30 ? Outcome::ok : Outcome::http_5xx};
  });
  EXPECT_TRUE(some.window_start);
}

TEST(StandardCourse, TinyRatesCostNoMoreThanTheirRequests) {
  LevelRules rules;
  rules.num_prompts = 10;
  rules.warmup_requests = 0;
  const Nanos between = 100000000s;  // three years
  StandardCourse course(rate(1e-8), rules);
  const LevelRecords records = drive(course, rate(1e-8), between, 20, steady(30s));
  EXPECT_EQ(records.requests.size(), 10u);
  const LevelResult result = measure(records, rules, {});
  EXPECT_EQ(result.measured_requests, 10u);
  EXPECT_NE(result.stability, Stability::saturated);
}

TEST(SaturationWatch, AnIdleStretchIsTheSameInOneGo) {
  SaturationWatch by_second(20, std::nullopt), in_one(20, std::nullopt);
  const auto both = [&](double in_flight) {
    by_second.sample(in_flight);
    in_one.sample(in_flight);
  };
  const auto grow = [&](int seconds) {
    for (int i = 1; i <= seconds; ++i) both(3.0 * i);
  };
  grow(25);
  for (int i = 0; i < 137; ++i) by_second.sample(0);
  in_one.sample_idle(137);
  EXPECT_FALSE(in_one.saturated());
  grow(600);
  EXPECT_TRUE(by_second.saturated());
  EXPECT_TRUE(in_one.saturated());
  EXPECT_EQ(by_second.growth_per_s(), in_one.growth_per_s());
  EXPECT_NEAR(*in_one.growth_per_s(), 3, 0.01);
}

TEST(StandardCourse, ABusyButSteadyQueueIsNotSaturated) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    RunTime free = run_start;
    const AnswerOf one_server = [&](std::uint32_t serial, std::uint32_t) {
      const RunTime now = run_start + 50ms * (serial + 1);
      free = std::max(free, now) + nanos(Seconds(random.exponential(0.040)));
      return Answer{free - now, 0ms, 1, Outcome::ok};
    };
    LevelRules rules;
    rules.duration = 200s;
    StandardCourse course(rate(20), rules);
    drive(course, rate(20), 50ms, 20000, one_server);
    EXPECT_NE(course.stability(), Stability::saturated) << "80% busy, seed " << seed;
  }
}

TEST(StandardCourse, WhatNeverEndsIsGivenUp) {
  LevelRules rules = with_objective(1s);
  rules.num_prompts = 100;
  StandardCourse course(users(8), rules);
  const LevelRecords records = drive(course, users(8), {}, 400000, [](std::uint32_t serial, std::uint32_t) {
    return Answer{serial == 900 ? Nanos(100h) : Nanos(100ms), 1ms, 2, Outcome::ok};
  });
  const LevelResult result = measure(records, rules, {});
  EXPECT_LT(records.ended - *records.window_end, 601s);
  EXPECT_EQ(result.measured_requests, 100u);
  EXPECT_EQ(result.ttft_ms.n_all + result.books.of(Outcome::censored) >= 100u, true);
}

TEST(StandardCourse, AUsedUpPlanEndsTheLevel) {
  StandardCourse course(users(8), with_objective(1s));
  const LevelRecords records = drive(course, users(8), {}, 900, steady(100ms));
  EXPECT_EQ(records.requests.size(), 900u);
  EXPECT_EQ(*records.window_end, records.ended);
  StandardCourse short_course(users(8), with_objective(1s));
  const LevelRecords short_records = drive(short_course, users(8), {}, 20, steady(100ms));
  EXPECT_FALSE(short_records.window_start) << "never warm";
  EXPECT_EQ(measure(short_records, with_objective(1s), {}).measured_requests, 0u);
}

TEST(StandardCourse, UnsendableRequestsDoNotHoldTheLevel) {
  LevelRules rules;
  rules.warmup_requests = 0;
  rules.num_prompts = 3;
  StandardCourse course(rate(1), rules);
  LevelRecords records;
  records.level = rate(1);
  records.requests.resize(10);
  course.start(records, run_start);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const RunTime now = run_start + std::chrono::seconds(i);
    ASSERT_EQ(course.phase(now), Phase::measuring);
    records.requests[i].due = records.requests[i].closed = now;
    course.released(i, now);
  }
  EXPECT_EQ(course.phase(run_start + 2s), Phase::finished);
  EXPECT_EQ(course.in_flight(), 0u);
}

}  // namespace
}  // namespace loadline
