// Conversations in virtual time: the same plans as over HTTP are released in the same order.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "engine/virtual_driver.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

/// Measures from the start; drains after so many releases.
class UnhurriedCourse : public LevelCourse {
 public:
  std::size_t most_releases = 1'000'000;

  void start(const LevelRecords& records, RunTime now) override {
    records_ = &records;
    begun_ = now;
  }
  void released(std::uint32_t serial, RunTime now) override {
    EXPECT_EQ(serial, released_++) << "told in order of release";
    EXPECT_EQ(records_->requests.at(serial).sent, now);
  }
  void first_token(std::uint32_t serial, RunTime) override { EXPECT_LT(serial, released_); }
  void ended(std::uint32_t serial, RunTime now) override { EXPECT_EQ(records_->requests.at(serial).closed, now); }
  Phase phase(RunTime) override { return released_ < most_releases ? Phase::measuring : Phase::draining; }
  std::optional<RunTime> wake_at() const override { return std::nullopt; }
  std::optional<RunTime> window_start() const override { return begun_; }
  std::optional<RunTime> window_end() const override { return std::nullopt; }

 private:
  const LevelRecords* records_ = nullptr;
  RunTime begun_{};
  std::size_t released_ = 0;
};

PlannedRequest planned_turn(std::int64_t prompt, std::int64_t completion, decltype(PlannedRequest::due) due) {
  PlannedRequest planned{{}, due};
  planned.request.prompt.length = Tokens(prompt);
  planned.request.completion = Tokens(completion);
  return planned;
}

LevelRecords run_in_virtual_time(const Plan& plan, std::size_t most_releases = 1'000'000) {
  UnhurriedCourse course;
  course.most_releases = most_releases;
  LevelRecords records;
  records.started = run_time(7'000);
  simulate_level(plan, course, EngineParameters{}, records);
  for (std::size_t i = 0; i < records.requests.size(); ++i) EXPECT_EQ(records.requests[i].serial, i);
  return records;
}

std::vector<std::uint32_t> release_order(const LevelRecords& records) {
  std::vector<std::uint32_t> order;
  for (const RequestRecord& r : records.requests) order.push_back(r.plan_index);
  return order;
}

TEST(VirtualDriverTurns, a_user_goes_through_its_conversation_before_it_takes_another) {
  Plan plan;
  plan.level = {LevelKind::concurrency, 1, Arrivals::closed};
  plan.requests = {planned_turn(100, 3, WhenUserFree{}),   planned_turn(101, 4, WhenUserFree{}),
                   planned_turn(102, 5, WhenUserFree{}),   planned_turn(103, 6, AfterTurn{0, 0s}),
                   planned_turn(104, 7, AfterTurn{3, 0s}), planned_turn(105, 8, AfterTurn{1, 0s})};
  const LevelRecords records = run_in_virtual_time(plan);
  ASSERT_EQ(release_order(records), (std::vector<std::uint32_t>{0, 3, 4, 1, 5, 2}));
  for (std::size_t i = 0; i < 6; ++i) {
    const RequestRecord& r = records.requests[i];
    EXPECT_EQ(r.planned_prompt, Tokens(100 + r.plan_index));
    EXPECT_EQ(r.completion_tokens, Tokens(3 + r.plan_index));
    EXPECT_EQ(r.outcome, Outcome::ok);
    EXPECT_EQ(r.due, r.sent);
    if (i > 0) {
      EXPECT_EQ(r.due, records.requests[i - 1].closed);
    }
  }
}

TEST(VirtualDriverTurns, a_pause_is_kept_to_the_nanosecond) {
  Plan plan;
  plan.level = {LevelKind::request_rate, 1, Arrivals::constant};
  plan.requests = {planned_turn(100, 3, AtOffset{0s}), planned_turn(100, 3, AtOffset{1s}),
                   planned_turn(100, 3, AfterTurn{0, 500ms}), planned_turn(100, 3, AfterTurn{2, 1h})};
  const LevelRecords records = run_in_virtual_time(plan);
  ASSERT_EQ(release_order(records), (std::vector<std::uint32_t>{0, 2, 1, 3})) << "by due, not by place in the plan";
  // Alone on the engine each takes 13,669,878 ns, as the method says.
  constexpr Nanos alone(13'669'878);
  const RunTime start = run_time(7'000);
  EXPECT_EQ(records.requests[0].closed, start + alone);
  EXPECT_EQ(records.requests[1].due, start + alone + 500ms);
  EXPECT_EQ(records.requests[2].due, start + 1s);
  EXPECT_EQ(records.requests[3].due, start + 2 * alone + 500ms + 1h) << "idle hours are jumped over";
  for (const RequestRecord& r : records.requests) {
    EXPECT_EQ(*ttft(r), Nanos(6'247'500)) << "from due";
    EXPECT_EQ(r.closed, *r.due + alone);
  }
}

TEST(VirtualDriverTurns, a_turn_joins_while_others_run) {
  Plan plan;
  plan.level = {LevelKind::request_rate, 1, Arrivals::constant};
  plan.requests = {planned_turn(100, 2, AtOffset{0s}), planned_turn(100, 400, AtOffset{0s}),
                   planned_turn(100, 2, AfterTurn{0, 100ms})};
  const LevelRecords records = run_in_virtual_time(plan);
  ASSERT_EQ(records.requests.size(), 3u);
  EXPECT_EQ(*records.requests[2].due, *records.requests[0].closed + 100ms) << "in the middle of a step";
  EXPECT_EQ(records.requests[2].sent, records.requests[2].due);
  EXPECT_LT(*records.requests[2].closed, *records.requests[1].closed);
}

TEST(VirtualDriverTurns, a_turn_that_was_refused_is_followed_too) {
  Plan plan;
  plan.level = {LevelKind::concurrency, 1, Arrivals::closed};
  plan.requests = {planned_turn(40'000, 10, WhenUserFree{}), planned_turn(100, 3, WhenUserFree{}),
                   planned_turn(40'000, 10, AfterTurn{0, 0s}), planned_turn(100, 3, AfterTurn{2, 2s})};
  const LevelRecords records = run_in_virtual_time(plan);
  ASSERT_EQ(release_order(records), (std::vector<std::uint32_t>{0, 2, 3, 1}));
  EXPECT_EQ(records.requests[1].outcome, Outcome::http_4xx);
  EXPECT_EQ(*records.requests[2].due, *records.requests[1].closed + 2s);
  EXPECT_EQ(records.requests[3].due, records.requests[2].closed) << "its user was bound during the pause";
}

TEST(VirtualDriverTurns, what_waited_when_the_level_ended_never_was) {
  Plan plan;
  plan.level = {LevelKind::concurrency, 2, Arrivals::closed};
  plan.requests = {planned_turn(100, 3, WhenUserFree{}), planned_turn(100, 30, WhenUserFree{}),
                   planned_turn(100, 3, AfterTurn{0, 0s}), planned_turn(100, 3, AfterTurn{1, 0s})};
  const LevelRecords records = run_in_virtual_time(plan, 3);
  EXPECT_EQ(release_order(records), (std::vector<std::uint32_t>{0, 1, 2}));
  for (const RequestRecord& r : records.requests) EXPECT_EQ(r.outcome, Outcome::ok);
}

TEST(VirtualDriverTurns, unknown_lengths_are_refused_before_the_level_starts) {
  Plan plan;
  plan.requests = {planned_turn(100, 3, WhenUserFree{}), planned_turn(100, 0, WhenUserFree{})};
  const auto complaint = [&] {
    UnhurriedCourse course;
    LevelRecords records;
    try {
      simulate_level(plan, course, EngineParameters{}, records);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(complaint(),
            "the answer of request 1 of the plan is of unknown length, and virtual time needs the lengths of "
            "all requests; use a log that has them, or `loadline run` against a server");
  plan.requests[1] = planned_turn(0, 5, WhenUserFree{});
  EXPECT_EQ(complaint().substr(0, 31), "the prompt of request 1 of the ");
  plan.requests[1] = planned_turn(1, 1, WhenUserFree{});
  EXPECT_EQ(complaint(), "none");
}

}  // namespace
}  // namespace loadline
