// Conversations over HTTP: a turn is sent when the one before it was answered, and not earlier.
#include <gtest/gtest.h>

#include <algorithm>

#include "load/level_world_test.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using scripted::answer_well;
using scripted::Counts;
using scripted::expect_sound;
using scripted::Peer;
using scripted::Server;
using scripted::World;

/// The plan's index in the body of a request.
std::uint32_t index_in(const std::string& request) {
  const std::size_t at = request.find("{\"request\":");
  return static_cast<std::uint32_t>(std::stoul(request.substr(at + 11)));
}

/// What the server saw, in order: each request's index when it came, and again when its answer was about to end.
struct Account {
  std::mutex mutex;
  std::vector<std::uint32_t> came, answered;
  std::vector<std::uint32_t> early;  ///< came while the one they wait for was not answered

  void note_arrival(const Plan& plan, std::uint32_t index) {
    const std::lock_guard lock(mutex);
    came.push_back(index);
    const auto* turn = std::get_if<AfterTurn>(&plan.requests[index].due);
    if (turn != nullptr && std::ranges::find(answered, turn->before) == answered.end()) early.push_back(index);
  }
  void note_answer(std::uint32_t index) {
    const std::lock_guard lock(mutex);
    answered.push_back(index);
  }
};

/// Takes some time over each answer.
Server::Script slowly(const Plan& plan, Account& account) {
  return [&](Peer& peer, int, const std::string& request) {
    const std::uint32_t index = index_in(request);
    account.note_arrival(plan, index);
    peer.pause(3 + static_cast<int>(index % 5) * 4);
    account.note_answer(index);
    answer_well(peer);
  };
}

std::map<std::uint32_t, const RequestRecord*> by_plan_index(const LevelRecords& records) {
  std::map<std::uint32_t, const RequestRecord*> found;
  for (const RequestRecord& r : records.requests) found[r.plan_index] = &r;
  return found;
}

/// Every turn released is due its pause after the record of the one before was closed.
void expect_due_after_turn_before(const World& world) {
  const auto records = by_plan_index(world.records);
  for (const auto& [index, record] : records) {
    const auto* turn = std::get_if<AfterTurn>(&world.plan.requests[index].due);
    if (turn == nullptr) continue;
    ASSERT_TRUE(records.contains(turn->before));
    EXPECT_EQ(*record->due, *records.at(turn->before)->closed + turn->pause) << "request " << index;
  }
}

TEST(RunLevelTurns, AUserGoesThroughItsConversationBeforeItTakesAnother) {
  World world(1, 6);
  world.plan.requests[3].due = AfterTurn{0, 0s};
  world.plan.requests[4].due = AfterTurn{3, 0s};
  world.plan.requests[5].due = AfterTurn{1, 0s};
  for (std::uint32_t i = 0; i < 6; ++i) {
    world.plan.requests[i].request.prompt.length = Tokens(100 + i);
    world.plan.requests[i].request.turn = i;
  }
  Account account;
  Server server(slowly(world.plan, account));
  world.run(server.port());
  expect_sound(world.records);
  expect_due_after_turn_before(world);
  EXPECT_EQ(account.came, (std::vector<std::uint32_t>{0, 3, 4, 1, 5, 2}));
  ASSERT_EQ(world.records.requests.size(), 6u);
  for (std::size_t serial = 0; serial < 6; ++serial) {
    const RequestRecord& r = world.records.requests[serial];
    EXPECT_EQ(r.plan_index, account.came[serial]) << "records are in order of release";
    EXPECT_EQ(r.planned_prompt, Tokens(100 + r.plan_index));
    EXPECT_EQ(r.turn, r.plan_index);
  }
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 6}}));
}

TEST(RunLevelTurns, ManyConversationsAtOnce) {
  World world(4, 60);
  for (std::uint32_t i = 20; i < 60; ++i) world.plan.requests[i].due = AfterTurn{i - 20, 0s};
  Account account;
  Server server(slowly(world.plan, account));
  world.run(server.port());
  expect_sound(world.records);
  expect_due_after_turn_before(world);
  EXPECT_EQ(account.early, std::vector<std::uint32_t>{});
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 60}}));
  EXPECT_EQ(by_plan_index(world.records).size(), 60u) << "each once";
  EXPECT_LE(server.most_at_once(), 4) << "a conversation is one user";
  EXPECT_EQ(server.connections(), 4);
}

TEST(RunLevelTurns, AnOpenLoopWaitsForTheTurnBeforeAndItsPause) {
  World world(1, 12);
  world.plan.level = {LevelKind::request_rate, 200, Arrivals::constant};
  for (std::uint32_t i = 0; i < 6; ++i) {
    world.plan.requests[i].due = AtOffset{5ms * i};
    world.plan.requests[i + 6].due = AfterTurn{i, i % 2 == 0 ? 0ms : 40ms};
  }
  Account account;
  Server server(slowly(world.plan, account));
  world.run(server.port());
  expect_sound(world.records);
  expect_due_after_turn_before(world);
  EXPECT_EQ(account.early, std::vector<std::uint32_t>{});
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 12}}));
  for (const auto& [index, record] : by_plan_index(world.records)) {
    if (index < 6) {
      EXPECT_EQ(*record->due, world.records.started + 5ms * index) << "never moved";
    }
    EXPECT_EQ(*ttft(*record), *record->first_token - *record->due);
  }
  for (std::size_t serial = 1; serial < 12; ++serial) {
    EXPECT_LE(*world.records.requests[serial - 1].due, *world.records.requests[serial].due);
  }
}

TEST(RunLevelTurns, AFailedTurnIsFollowedToo) {
  Server server([](Peer& peer, int, const std::string& request) {
    if (index_in(request) == 0) return peer.plain("500 Internal Server Error", R"({"error":"no"})");
    answer_well(peer);
  });
  World world(1, 3);
  world.plan.requests[2].due = AfterTurn{0, 0s};
  world.run(server.port());
  expect_sound(world.records);
  expect_due_after_turn_before(world);
  EXPECT_EQ(world.outcomes(), (Counts{{"http_5xx", 1}, {"ok", 2}}));
  EXPECT_EQ(world.records.requests[1].plan_index, 2u);
}

TEST(RunLevelTurns, AUserRestsBeforeTheNextTurnToADeadServer) {
  std::uint16_t refused = 0;
  {
    refused = listen_on_loopback().port;
  }
  World world(1, 3);
  world.plan.requests[1].due = AfterTurn{0, 0s};
  world.plan.requests[2].due = AfterTurn{1, 0s};
  world.run(refused);
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (Counts{{"connect_failed", 3}}));
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(*world.records.requests[i].due, *world.records.requests[i - 1].closed + 100ms);
  }
}

TEST(RunLevelTurns, WhatWaitedWhenTheLevelEndedNeverWas) {
  World world(2, 40);
  for (std::uint32_t i = 20; i < 40; ++i) world.plan.requests[i].due = AfterTurn{i - 20, 1h};
  world.course.most_releases = 2;
  Account account;
  Server server(slowly(world.plan, account));
  world.run(server.port());
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 2}})) << "a turn in an hour is not waited for";
}

TEST(RunLevelTurns, AnAnswerOfUnknownLengthIsWelcome) {
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  World world(2, 10, 0);
  world.run(server.port());
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 10}})) << "no length is too short";
  for (const RequestRecord& r : world.records.requests) EXPECT_EQ(r.completion_tokens, Tokens(2));
}

}  // namespace
}  // namespace loadline
