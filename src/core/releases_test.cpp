#include "core/releases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

using Due = decltype(PlannedRequest::due);

Plan plan_of(Level level, std::vector<Due> dues) {
  Plan plan;
  plan.level = level;
  for (const Due& due : dues) plan.requests.push_back({{}, due});
  return plan;
}
Plan closed_plan_of(double users, std::vector<Due> dues) {
  return plan_of({LevelKind::concurrency, users, Arrivals::closed}, std::move(dues));
}
Plan open_plan_of(std::vector<Due> dues) {
  return plan_of({LevelKind::request_rate, 1, Arrivals::constant}, std::move(dues));
}
Releases releases_of(const Plan& plan, RunTime level_start = run_start) {
  Releases releases(plan, users_of(plan.level));
  releases.start(level_start);
  return releases;
}

/// What is released at `now`, as indices of the plan; serials and due times are checked on the way.
std::vector<std::uint32_t> take_all(Releases& releases, RunTime now) {
  std::vector<std::uint32_t> taken;
  while (releases.has_due(now)) {
    const std::uint32_t serial = releases.released();
    const std::optional<Release> release = releases.take(now);
    if (!release) break;
    EXPECT_EQ(release->serial, serial);
    EXPECT_LE(release->due, now);
    taken.push_back(release->plan_index);
  }
  EXPECT_FALSE(releases.take(now)) << "nothing is due where has_due says so";
  return taken;
}

using Indices = std::vector<std::uint32_t>;

TEST(Releases, ClosedLoopReleasesWhenAUserIsFree) {
  const Plan plan = closed_plan_of(2, std::vector<Due>(4, WhenUserFree{}));
  Releases releases = releases_of(plan);
  EXPECT_EQ(take_all(releases, run_start), (Indices{0, 1})) << "then both users wait";
  EXPECT_FALSE(releases.next_due());
  releases.ended(1, run_time(500));
  const std::optional<Release> third = releases.take(run_time(500));
  EXPECT_EQ(third->serial, 2u);
  EXPECT_EQ(third->plan_index, 2u);
  EXPECT_EQ(third->due, run_time(500)) << "due is the moment of release";
  EXPECT_FALSE(releases.take(run_time(500)));
  releases.ended(0, run_time(500));
  releases.ended(2, run_time(500));
  EXPECT_FALSE(releases.exhausted());
  EXPECT_EQ(take_all(releases, run_time(500)), Indices{3});
  EXPECT_TRUE(releases.exhausted());
}

TEST(Releases, AUserThatRestsIsFreeWhenItHasRested) {
  const Plan plan = closed_plan_of(2, std::vector<Due>(4, WhenUserFree{}));
  Releases releases = releases_of(plan);
  take_all(releases, run_start);
  releases.ended(0, run_start, run_time(500));
  releases.ended(1, run_start, run_time(700));
  EXPECT_EQ(releases.next_due(), run_time(500));
  EXPECT_FALSE(releases.take(run_time(499)));
  EXPECT_EQ(releases.take(run_time(600))->due, run_time(600)) << "due is the moment of release, not the rest's end";
  EXPECT_EQ(releases.next_due(), run_time(700));
  EXPECT_FALSE(releases.take(run_time(600)));
  releases.ended(2, run_time(600));
  EXPECT_EQ(take_all(releases, run_time(600)), Indices{3}) << "others do not wait for the one that rests";
  EXPECT_FALSE(releases.next_due()) << "the plan is used up";
}

TEST(Releases, OpenLoopKeepsItsScheduleHoweverLate) {
  std::vector<Due> dues;
  for (int i = 0; i < 3600; ++i) dues.push_back(AtOffset{100ms * i});
  const Plan plan = open_plan_of(dues);
  Releases releases = releases_of(plan, run_time(7));
  EXPECT_EQ(releases.take(run_time(7))->due, run_time(7));
  EXPECT_FALSE(releases.take(run_time(7)));
  EXPECT_EQ(releases.next_due(), run_time(100'000'007));
  const RunTime late = run_time(7) + 360s;  // a long stall: all are due now, each with its own due time
  for (std::uint32_t serial = 1; serial < 3600; ++serial) {
    const std::optional<Release> release = releases.take(late);
    ASSERT_TRUE(release);
    EXPECT_EQ(release->serial, serial);
    EXPECT_EQ(release->due, run_time(7) + 100ms * serial);
  }
  EXPECT_TRUE(releases.exhausted());
}

TEST(Releases, ATurnIsDueItsPauseAfterTheOneBefore) {
  const Plan plan = open_plan_of({AtOffset{0s}, AtOffset{1s}, AfterTurn{0, 5s}, AtOffset{20s}, AfterTurn{2, 0s}});
  EXPECT_EQ(releases_of(plan).turn_after(0), 2u);
  EXPECT_EQ(releases_of(plan).turn_after(2), 4u);
  EXPECT_FALSE(releases_of(plan).turn_after(1));
  Releases releases = releases_of(plan);
  EXPECT_EQ(take_all(releases, run_start + 10s), (Indices{0, 1})) << "a turn waits however late the schedule is";
  EXPECT_EQ(releases.next_due(), run_start + 20s);
  releases.ended(0, run_start + 10s);
  EXPECT_EQ(releases.next_due(), run_start + 15s);
  EXPECT_FALSE(releases.has_due(run_start + 14999ms));
  const std::optional<Release> turn = releases.take(run_start + 16s);
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn->plan_index, 2u);
  EXPECT_EQ(turn->serial, 2u);
  EXPECT_EQ(turn->due, run_start + 15s);
  EXPECT_EQ(take_all(releases, run_start + 20s), Indices{3});
  EXPECT_FALSE(releases.exhausted()) << "one is in flight and another waits for it";
  EXPECT_FALSE(releases.next_due());
  releases.ended(2, run_start + 21s);
  EXPECT_EQ(releases.next_due(), run_start + 21s) << "without a pause at once";
  EXPECT_EQ(releases.take(run_start + 22s)->due, run_start + 21s);
  EXPECT_TRUE(releases.exhausted());
}

TEST(Releases, ATurnWithATimeOfItsOwnComesThenOrWhenTheOneBeforeHasEnded) {
  const Plan plan =
      open_plan_of({AtOffset{}, AtOffset{}, AfterTurn{0, Nanos{}, Nanos(900)}, AfterTurn{1, Nanos{}, Nanos(300)}});
  Releases releases = releases_of(plan);
  EXPECT_EQ(take_all(releases, run_start), (Indices{0, 1}));
  releases.ended(0, run_time(400));
  EXPECT_EQ(releases.next_due(), run_time(900)) << "its own time is later";
  releases.ended(1, run_time(500));
  EXPECT_EQ(take_all(releases, run_time(500)), (Indices{3})) << "its own time has passed";
  EXPECT_EQ(releases.take(run_time(900))->due, run_time(900));
}

TEST(Releases, TheEarliestOfTurnsAndOffsetsComesFirst) {
  const Plan plan = open_plan_of(
      {AtOffset{0s}, AtOffset{0s}, AtOffset{3s}, AtOffset{5s}, AtOffset{6s}, AfterTurn{0, 4s}, AfterTurn{1, 1s}});
  Releases releases = releases_of(plan);
  EXPECT_EQ(take_all(releases, run_start), (Indices{0, 1}));
  releases.ended(0, run_start + 1s);  // its turn is due at 5 s, with request 3
  releases.ended(1, run_start + 1s);  // at 2 s: before the next offset
  EXPECT_EQ(releases.next_due(), run_start + 2s);
  EXPECT_EQ(take_all(releases, run_start + 100s), (Indices{6, 2, 5, 3, 4})) << "by due; at one instant turns first";
  EXPECT_TRUE(releases.exhausted());
}

TEST(Releases, AUserStaysWithItsConversation) {
  // Two users; conversations 0 -> 2 -> 4 and 1 -> 5; 3 and 6 stand alone.
  const Plan plan = closed_plan_of(2, {WhenUserFree{}, WhenUserFree{}, AfterTurn{0, 0s}, WhenUserFree{},
                                       AfterTurn{2, 0s}, AfterTurn{1, 0s}, WhenUserFree{}});
  Releases releases = releases_of(plan);
  EXPECT_EQ(take_all(releases, run_start), (Indices{0, 1}));
  releases.ended(0, run_start + 1s);
  EXPECT_EQ(take_all(releases, run_start + 1s), Indices{2}) << "its own next turn, not request 3";
  releases.ended(2, run_start + 2s);
  EXPECT_EQ(take_all(releases, run_start + 2s), Indices{4});
  releases.ended(4, run_start + 3s);
  EXPECT_EQ(take_all(releases, run_start + 3s), Indices{3}) << "the conversation is over";
  releases.ended(1, run_start + 4s);
  releases.ended(3, run_start + 4s);
  EXPECT_EQ(take_all(releases, run_start + 4s), (Indices{5, 6})) << "a turn before any other";
  EXPECT_TRUE(releases.exhausted());
}

TEST(Releases, AUserRestsDuringThePauseOfItsConversation) {
  const Plan plan = closed_plan_of(1, {WhenUserFree{}, WhenUserFree{}, AfterTurn{0, 10s}});
  Releases releases = releases_of(plan);
  EXPECT_EQ(take_all(releases, run_start), Indices{0});
  releases.ended(0, run_start + 1s);
  EXPECT_FALSE(releases.has_due(run_start + 10s)) << "nobody is free for request 1";
  EXPECT_EQ(releases.next_due(), run_start + 11s);
  EXPECT_EQ(releases.take(run_start + 12s)->due, run_start + 11s);
  EXPECT_FALSE(releases.has_due(run_start + 12s));
  releases.ended(2, run_start + 13s);
  EXPECT_EQ(take_all(releases, run_start + 13s), Indices{1});
}

TEST(Releases, AUserThatFoundNoServerRestsBeforeItsNextTurn) {
  const Plan plan = closed_plan_of(1, {WhenUserFree{}, AfterTurn{0, 1s}, AfterTurn{1, 5s}, WhenUserFree{}});
  Releases releases = releases_of(plan);
  take_all(releases, run_start);
  releases.ended(0, run_start + 1s, run_start + 4s);
  EXPECT_EQ(releases.next_due(), run_start + 4s) << "the rest is longer than the pause";
  EXPECT_EQ(releases.take(run_start + 4s)->due, run_start + 4s);
  releases.ended(1, run_start + 5s, run_start + 8s);
  EXPECT_EQ(releases.next_due(), run_start + 10s) << "the pause is longer than the rest";
  EXPECT_EQ(take_all(releases, run_start + 10s), Indices{2});
  releases.ended(2, run_start + 11s, run_start + 14s);
  EXPECT_EQ(releases.next_due(), run_start + 14s);
  EXPECT_EQ(take_all(releases, run_start + 14s), Indices{3});
}

TEST(Releases, AnOpenLoopHasNoUsersThatRest) {
  const Plan plan = open_plan_of({AtOffset{0s}, AfterTurn{0, 1s}});
  Releases releases = releases_of(plan);
  take_all(releases, run_start);
  releases.ended(0, run_start + 1s, run_start + 4s);
  EXPECT_EQ(releases.next_due(), run_start + 2s);
}

TEST(Releases, RefusesTurnsThatCannotBe) {
  const Plan later = open_plan_of({AfterTurn{1, 0s}, AtOffset{0s}});
  EXPECT_THROW(releases_of(later), Bug);
  const Plan twice = open_plan_of({AtOffset{0s}, AfterTurn{0, 0s}, AfterTurn{0, 0s}});
  EXPECT_THROW(releases_of(twice), Bug);
  const Plan past = open_plan_of({AtOffset{0s}, AfterTurn{0, -1s}});
  EXPECT_THROW(releases_of(past), Bug);
}

/// Conversations of 1 to 5 turns, their turns spread over the plan; request i takes `length[i]`.
struct Conversations {
  Plan plan;
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<Nanos> length, pause;
};

Conversations draw_conversations(Level level, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Conversations drawn;
  drawn.plan.level = level;
  std::vector<std::size_t> unfinished;
  const auto add = [&](Due due, Nanos pause) {
    drawn.plan.requests.push_back({{}, due});
    drawn.length.push_back(Nanos(1 + static_cast<std::int64_t>(random.uniform() * 1e9)));
    drawn.pause.push_back(pause);
    return static_cast<std::uint32_t>(drawn.length.size() - 1);
  };
  while (drawn.plan.requests.size() < count) {
    if (unfinished.empty() || random.uniform() < 0.4) {
      const Nanos offset = 50ms * static_cast<std::int64_t>(drawn.members.size());
      const bool is_closed = level.kind == LevelKind::concurrency;
      unfinished.push_back(drawn.members.size());
      drawn.members.push_back({add(is_closed ? Due(WhenUserFree{}) : Due(AtOffset{offset}), Nanos(0))});
      continue;
    }
    const auto which = static_cast<std::size_t>(random.uniform() * static_cast<double>(unfinished.size()));
    std::vector<std::uint32_t>& members = drawn.members[unfinished[which]];
    const Nanos pause(static_cast<std::int64_t>(random.uniform() * 2e9));
    members.push_back(add(AfterTurn{members.back(), pause}, pause));
    if (members.size() == 5) unfinished.erase(unfinished.begin() + static_cast<std::ptrdiff_t>(which));
  }
  return drawn;
}

/// Releases everything, each request at the very instant at which it is due; due times by plan index.
std::vector<RunTime> due_times(const Conversations& drawn) {
  std::vector<RunTime> dues(drawn.plan.requests.size());
  std::multimap<RunTime, std::uint32_t> in_flight;  // by end
  Releases releases = releases_of(drawn.plan);
  RunTime now = run_start, last_due = run_start;
  while (!releases.exhausted() || !in_flight.empty()) {
    while (const std::optional<Release> release = releases.take(now)) {
      EXPECT_GE(release->due, last_due) << "due times never decrease";
      last_due = dues[release->plan_index] = release->due;
      in_flight.emplace(now + drawn.length[release->plan_index], release->plan_index);
    }
    RunTime next = releases.next_due().value_or(RunTime::max());
    if (!in_flight.empty()) next = std::min(next, in_flight.begin()->first);
    if (next == RunTime::max()) break;
    now = next;
    for (; !in_flight.empty() && in_flight.begin()->first <= now; in_flight.erase(in_flight.begin())) {
      releases.ended(in_flight.begin()->second, now);
    }
  }
  EXPECT_EQ(releases.released(), dues.size()) << "nothing is forgotten";
  return dues;
}

/// One conversation from its start on: request by request, pause by pause. Its end.
RunTime expect_conversation(const Conversations& drawn, const std::vector<std::uint32_t>& members, RunTime start,
                            const std::vector<RunTime>& dues) {
  RunTime at = start;
  for (const std::uint32_t member : members) {
    at += drawn.pause[member];
    EXPECT_EQ(dues[member], at) << "request " << member;
    at += drawn.length[member];
  }
  return at;
}

TEST(Releases, OpenConversationsRunAsIfEachWereAlone) {
  const Conversations drawn = draw_conversations({LevelKind::request_rate, 20, Arrivals::constant}, 3000, 1);
  const std::vector<RunTime> dues = due_times(drawn);
  for (std::size_t i = 0; i < drawn.members.size(); ++i) {
    expect_conversation(drawn, drawn.members[i], run_start + 50ms * static_cast<std::int64_t>(i), dues);
  }
}

TEST(Releases, ClosedConversationsAreTakenByTheFirstFreeUser) {
  const Conversations drawn = draw_conversations({LevelKind::concurrency, 7, Arrivals::closed}, 3000, 2);
  const std::vector<RunTime> dues = due_times(drawn);
  std::vector<RunTime> free_at(7, run_start);
  for (const std::vector<std::uint32_t>& members : drawn.members) {
    RunTime& first_free = *std::ranges::min_element(free_at);
    first_free = expect_conversation(drawn, members, first_free, dues);
  }
}

}  // namespace
}  // namespace loadline
