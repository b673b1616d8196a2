#include "fleet/conductor.h"

#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

using Kind = ShareEvent::Kind;

RunTime at_ms(std::int64_t ms) { return RunTime(std::chrono::milliseconds(ms)); }

/// Writes down what it is told; drains after `most` releases.
class TellingCourse : public LevelCourse {
 public:
  std::string told;
  std::size_t most = 1000;
  std::size_t releases = 0, ends = 0;
  RunTime last{};

  void start(const LevelRecords&, RunTime now) override { last = now; }
  void released(std::uint32_t serial, RunTime now) override {
    ++releases;
    note('r', serial, now);
  }
  void first_token(std::uint32_t serial, RunTime now) override { note('t', serial, now); }
  void ended(std::uint32_t serial, RunTime now) override {
    ++ends;
    note('e', serial, now);
  }
  Phase phase(RunTime now) override {
    EXPECT_GE(now, last);
    if (releases < most) return Phase::measuring;
    return ends == releases ? Phase::finished : Phase::draining;
  }
  std::optional<RunTime> wake_at() const override { return std::nullopt; }
  std::optional<RunTime> window_start() const override { return at_ms(10); }
  std::optional<RunTime> window_end() const override { return last; }

 private:
  void note(char what, std::uint32_t serial, RunTime now) {
    EXPECT_GE(now, last) << "in order of time";
    last = now;
    told += what + std::to_string(serial) + ' ';
  }
};

/// Two shares of one user each, with three requests each.
struct TwoShares {
  Plan plan;
  std::vector<PlanShare> shares;
  TellingCourse course;
  LevelRecords records;
  std::unique_ptr<Conductor> conductor;

  TwoShares() {
    plan.level = {LevelKind::concurrency, 2, Arrivals::closed};
    for (int i = 0; i < 6; ++i) {
      plan.requests.push_back({{}, WhenUserFree{}});
      plan.requests.back().request.completion = Tokens(10 + i);
    }
    shares = split_plan(plan, 2);
    records.requests.resize(6);
    conductor = std::make_unique<Conductor>(plan, shares, course, records);
    conductor->start(at_ms(0));
  }

  static ShareEvent event(Kind kind, std::int64_t ms, std::uint32_t serial) {
    return {.kind = kind, .at = at_ms(ms), .serial = serial, .plan_index = serial, .instant = at_ms(ms)};
  }
  static void put_end(Batch& batch, std::int64_t ms, std::uint32_t serial, Outcome outcome) {
    batch.events.push_back(event(Kind::ended, ms, serial));
    batch.events.back().record = static_cast<std::uint32_t>(batch.records.size());
    RequestRecord record;
    record.serial = record.plan_index = serial;
    record.due = record.sent = at_ms(ms - 1);
    record.closed = at_ms(ms);
    record.outcome = outcome;
    record.gaps = {0, static_cast<std::uint32_t>(batch.gaps.size()), 1};
    batch.gaps.push_back(static_cast<std::uint32_t>(ms));
    batch.records.push_back(record);
  }
  void give(std::size_t share, std::vector<ShareEvent> events, std::int64_t up_to_ms, bool last = false) {
    auto batch = std::make_unique<Batch>();
    batch->events = std::move(events);
    batch->up_to = at_ms(up_to_ms);
    batch->is_last = last;
    conductor->add(share, std::move(batch));
  }
};

TEST(Conductor, TellsInOrderOfTimeWhatNobodyCanPrecede) {
  TwoShares two;
  two.give(0, {TwoShares::event(Kind::released, 1, 0), TwoShares::event(Kind::first_token, 30, 0)}, 40);
  two.conductor->advance();
  EXPECT_EQ(two.course.told, "") << "the other share may have been earlier";
  two.give(1, {TwoShares::event(Kind::released, 2, 0), TwoShares::event(Kind::first_token, 20, 0)}, 25);
  two.conductor->advance();
  EXPECT_EQ(two.course.told, "r0 r1 t1 ");
  two.give(1, {}, 50);
  two.conductor->advance();
  EXPECT_EQ(two.course.told, "r0 r1 t1 t0 ");
  EXPECT_EQ(two.records.requests[0].planned_completion, Tokens(10));
  EXPECT_EQ(two.records.requests[1].planned_completion, Tokens(11)) << "the second user's request";
  EXPECT_EQ(two.records.requests[1].plan_index, 1u);
  EXPECT_EQ(two.records.requests[0].first_token, at_ms(30));
  EXPECT_TRUE(two.records.requests[0].warmup) << "due before the window";
}

TEST(Conductor, RecordsComeWithTheirGaps) {
  TwoShares two;
  for (const std::size_t share : {0, 1}) {
    auto batch = std::make_unique<Batch>();
    batch->events.push_back(TwoShares::event(Kind::released, 11, 0));
    two.put_end(*batch, 20 + static_cast<std::int64_t>(share), 0, Outcome::ok);
    batch->up_to = at_ms(30);
    batch->is_last = true;
    batch->client.reads = 5;
    batch->client.send_lateness_p99_ms = 1.0 + static_cast<double>(share);
    two.conductor->add(share, std::move(batch));
  }
  two.conductor->advance();
  ASSERT_TRUE(two.conductor->all_over());
  two.conductor->finish(false);
  ASSERT_EQ(two.records.requests.size(), 2u);
  EXPECT_EQ(two.records.gaps.at(two.records.requests[0].gaps)[0], 20u);
  EXPECT_EQ(two.records.gaps.at(two.records.requests[1].gaps)[0], 21u);
  EXPECT_EQ(two.records.requests[1].serial, 1u);
  EXPECT_EQ(two.records.state, "complete");
  EXPECT_EQ(two.records.ended, at_ms(30));
  EXPECT_EQ(two.records.client.threads, 2u);
  EXPECT_EQ(two.records.client.reads, 10u);
  EXPECT_EQ(two.records.client.send_lateness_p99_ms, 2.0) << "the worst of both";
}

TEST(Conductor, WhatIsReleasedAfterTheEndIsInTheBooksOnly) {
  TwoShares two;
  two.course.most = 1;
  auto batch = std::make_unique<Batch>();
  batch->events.push_back(TwoShares::event(Kind::released, 1, 0));
  two.put_end(*batch, 5, 0, Outcome::ok);
  batch->events.push_back(TwoShares::event(Kind::released, 6, 1));
  batch->events.push_back(TwoShares::event(Kind::cancelled, 9, 1));
  batch->events.back().record = 1;
  batch->records.push_back({});
  batch->records.back().outcome = Outcome::censored;
  batch->up_to = at_ms(9);
  batch->is_last = true;
  two.conductor->add(0, std::move(batch));
  two.give(1, {}, 9, true);
  EXPECT_EQ(two.conductor->advance(), Phase::finished);
  two.conductor->finish(false);
  EXPECT_EQ(two.course.told, "r0 e0 ");
  ASSERT_EQ(two.records.requests.size(), 2u);
  EXPECT_EQ(two.records.requests[1].outcome, Outcome::censored);
}

TEST(Conductor, WhatALostShareHadToldCountsAlsoWhenOthersAreBehind) {
  TwoShares two;
  auto batch = std::make_unique<Batch>();
  batch->events.push_back(TwoShares::event(Kind::released, 1, 0));
  TwoShares::put_end(*batch, 9, 0, Outcome::ok);
  batch->events.push_back(TwoShares::event(Kind::released, 10, 1));
  batch->up_to = at_ms(12);
  two.conductor->add(0, std::move(batch));
  two.give(1, {}, 5);
  two.conductor->abandon(0, at_ms(13), "its machine is gone");
  two.give(1, {}, 20, true);
  two.conductor->advance();
  two.conductor->finish(true);
  ASSERT_EQ(two.records.requests.size(), 2u);
  EXPECT_EQ(two.records.requests[0].outcome, Outcome::ok);
  EXPECT_EQ(two.records.requests[1].outcome, Outcome::censored);
  EXPECT_EQ(two.records.requests[1].message, "its machine is gone");
}

TEST(Conductor, AShareThatIsGoneLeavesWhatItHadTold) {
  TwoShares two;
  two.give(0, {TwoShares::event(Kind::released, 1, 0), TwoShares::event(Kind::first_token, 3, 0)}, 5);
  two.give(1, {TwoShares::event(Kind::released, 2, 0)}, 8, true);
  two.conductor->abandon(0, at_ms(7), "its machine is gone");
  EXPECT_TRUE(two.conductor->all_over());
  two.conductor->finish(true);
  EXPECT_EQ(two.records.state, "interrupted");
  EXPECT_EQ(two.records.requests[0].outcome, Outcome::censored);
  EXPECT_EQ(two.records.requests[0].message, "its machine is gone");
  EXPECT_EQ(two.records.requests[0].closed, at_ms(7));
  EXPECT_FALSE(two.records.requests[0].first_token) << "a token without the events that brought it is no record";
}

}  // namespace
}  // namespace loadline
