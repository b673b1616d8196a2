#include "load/releases.h"

#include <gtest/gtest.h>

#include "load/lateness.h"
#include "load/prepared_bodies.h"
#include "net/time_source.h"

namespace loadline {
namespace {

Plan closed_plan(double users, std::size_t requests) {
  Plan plan;
  plan.level = {LevelKind::concurrency, users, Arrivals::closed};
  plan.requests.resize(requests);
  return plan;
}

TEST(Releases, ClosedLoopReleasesWhenAUserIsFree) {
  const Plan plan = closed_plan(2, 4);
  SimulatedTime time;
  Releases releases(plan, time.now());
  EXPECT_EQ(releases.take(time.now())->serial, 0u);
  EXPECT_EQ(releases.take(time.now())->serial, 1u);
  EXPECT_FALSE(releases.take(time.now())) << "both users wait";
  EXPECT_FALSE(releases.next_due());
  time.advance(Nanos(500));
  releases.ended(1);
  const std::optional<Release> third = releases.take(time.now());
  EXPECT_EQ(third->serial, 2u);
  EXPECT_EQ(third->due, run_time(500)) << "due is the moment of release";
  EXPECT_FALSE(releases.take(time.now()));
  releases.ended(0);
  releases.ended(2);
  EXPECT_TRUE(releases.take(time.now()));
  EXPECT_TRUE(releases.exhausted());
  EXPECT_FALSE(releases.take(time.now()));
}

TEST(Releases, AUserThatRestsIsFreeWhenItHasRested) {
  const Plan plan = closed_plan(2, 4);
  SimulatedTime time;
  Releases releases(plan, time.now());
  releases.take(time.now());
  releases.take(time.now());
  releases.ended(0, run_time(500));
  releases.ended(1, run_time(700));
  EXPECT_EQ(releases.next_due(), run_time(500));
  time.set(run_time(499));
  EXPECT_FALSE(releases.take(time.now()));
  time.set(run_time(600));
  EXPECT_EQ(releases.take(time.now())->due, run_time(600)) << "due is the moment of release, not the end of the rest";
  EXPECT_EQ(releases.next_due(), run_time(700));
  EXPECT_FALSE(releases.take(time.now()));
  releases.ended(2);
  EXPECT_EQ(releases.take(time.now())->serial, 3u) << "others do not wait for the one that rests";
  EXPECT_FALSE(releases.next_due()) << "the plan is used up";
}

TEST(Releases, OpenLoopKeepsItsScheduleHoweverLate) {
  Plan plan;
  plan.level = {LevelKind::request_rate, 10, Arrivals::constant};
  for (int i = 0; i < 3600; ++i) plan.requests.push_back({{}, AtOffset{std::chrono::milliseconds(100) * i}});
  SimulatedTime time;
  time.set(run_time(7));
  Releases releases(plan, time.now());
  EXPECT_EQ(releases.take(time.now())->due, run_time(7));
  EXPECT_FALSE(releases.take(time.now()));
  EXPECT_EQ(releases.next_due(), run_time(100'000'007));
  time.advance(std::chrono::seconds(360));  // a long stall: all are due now, each with its own due time
  for (std::uint32_t serial = 1; serial < 3600; ++serial) {
    const std::optional<Release> release = releases.take(time.now());
    ASSERT_TRUE(release);
    EXPECT_EQ(release->serial, serial);
    EXPECT_EQ(release->due, run_time(7) + std::chrono::milliseconds(100) * serial);
  }
  EXPECT_TRUE(releases.exhausted());
}

TEST(PreparedBodies, RendersEachBodyOnceInOrder) {
  const Plan plan = closed_plan(1, 10);
  std::vector<std::uint32_t> rendered;
  const BodyWriter write = [&](const Plan&, std::uint32_t serial, std::string& body) {
    EXPECT_TRUE(body.empty());
    rendered.push_back(serial);
    body = "body " + std::to_string(serial);
  };
  PreparedBodies bodies(plan, write, 3);
  EXPECT_EQ(bodies.take(0), "body 0") << "rendered in a pinch";
  while (bodies.wants_more()) bodies.prepare_one();
  EXPECT_EQ(rendered.size(), 4u) << "three ahead";
  for (std::uint32_t serial = 1; serial < 10; ++serial) {
    std::string body = bodies.take(serial);
    EXPECT_EQ(body, "body " + std::to_string(serial));
    bodies.give_back(std::move(body));
    if (serial == 5) bodies.prepare_one();
  }
  EXPECT_FALSE(bodies.wants_more());
  EXPECT_EQ(rendered, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(PreparedBodies, IsBoundedInMemory) {
  const Plan plan = closed_plan(1, 10);
  const BodyWriter write = [](const Plan&, std::uint32_t, std::string& body) { body.assign(1000, 'x'); };
  PreparedBodies bodies(plan, write, 10, 1500);
  int prepared = 0;
  for (; bodies.wants_more(); ++prepared) bodies.prepare_one();
  EXPECT_EQ(prepared, 2);
  PreparedBodies tiny(plan, write, 10, 1);
  tiny.prepare_one();
  EXPECT_FALSE(tiny.wants_more()) << "always one, never more than fit";
}

TEST(Lateness, GivesQuantilesToOneStep) {
  Lateness lateness;
  EXPECT_FALSE(lateness.quantile_ms(0.5));
  EXPECT_FALSE(lateness.max_ms());
  for (int i = 1; i <= 1000; ++i) lateness.record(Nanos(i * 10'000));  // 0.01 to 10 ms
  EXPECT_NEAR(*lateness.quantile_ms(0.50), 5.0, 5.0 / 64);
  EXPECT_NEAR(*lateness.quantile_ms(0.99), 9.9, 9.9 / 64);
  EXPECT_DOUBLE_EQ(*lateness.max_ms(), 10.0);
  EXPECT_LE(*lateness.quantile_ms(1.0), 10.0);
  lateness.record(Nanos(-5));
  lateness.record(std::chrono::hours(10));
  EXPECT_DOUBLE_EQ(*lateness.max_ms(), 36'000'000.0);
}

TEST(Lateness, NeverUnderstates) {
  for (const std::int64_t units : {0LL, 1LL, 63LL, 64LL, 127LL, 128LL, 12'345LL, 999'999'999LL}) {
    Lateness lateness;
    lateness.record(Nanos(units * 100));
    lateness.record(std::chrono::hours(1));  // so that the maximum does not cap the first
    const double ms = static_cast<double>(units) * 1e-4;
    EXPECT_GE(*lateness.quantile_ms(0.5) + 1e-12, ms);
    EXPECT_LE(*lateness.quantile_ms(0.5), ms * (1 + 1.0 / 64) + 1e-4);
  }
}

}  // namespace
}  // namespace loadline
