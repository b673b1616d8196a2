// What the user may ask of the client beside the load: retries, a cap on what is in flight, a ramp, several servers.
#include <gtest/gtest.h>

#include "load/level_world_test.h"
#include "load/retries.h"

namespace loadline {
namespace {

using namespace scripted;

/// A client of that world with these settings.
void run_with(World& world, ClientSettings settings, std::vector<std::uint16_t> ports) {
  settings.timeouts = world.timeouts;
  std::vector<Destination> destinations;
  for (const std::uint16_t port : ports) destinations.push_back(world.destination(port));
  Client client(destinations, settings, world.time);
  world.run(client);
}

TEST(RunLevelSettings, NothingIsSentAgainUnlessAsked) {
  std::atomic<int> requests{0};
  Server server([&](Peer& peer, int, const std::string&) {
    ++requests;
    peer.plain("503 Service Unavailable", R"({"error":"full"})", "Retry-After: 3\r\n");
  });
  World world(1, 3);
  run_with(world, {}, {server.port()});
  EXPECT_EQ(requests, 3);
  EXPECT_EQ(world.outcomes(), (Counts{{"rejected", 3}}));
  EXPECT_EQ(world.records.requests[0].retry_after, std::chrono::seconds(3));
  EXPECT_EQ(world.records.requests[0].message, "full (Retry-After: 3 s)");
  EXPECT_EQ(world.records.requests[0].attempts, 1);
}

TEST(RunLevelSettings, ARetryCountsFromTheFirstAttempt) {
  Server server([](Peer& peer, int number, const std::string&) {
    if (number < 2) return peer.plain("429 Too Many Requests", "{}", "Retry-After: 0\r\n");
    answer_well(peer);
  });
  World world(1, 1);
  run_with(world, {.retries = 2}, {server.port()});
  ASSERT_EQ(world.outcomes(), (Counts{{"ok", 1}}));
  const RequestRecord& record = world.records.requests[0];
  EXPECT_EQ(record.attempts, 3);
  EXPECT_EQ(record.completion_tokens, Tokens(2));
  EXPECT_EQ(record.http_status, 200);
  EXPECT_EQ(world.records.client.retries, 2u);
  EXPECT_EQ(world.course.released_count, 1u);
  EXPECT_EQ(world.course.ended_count, 1u);
  expect_sound(world.records);
}

TEST(RunLevelSettings, AfterTheLastRetryItIsTheFailureThatItIs) {
  Server server([](Peer& peer, int, const std::string&) {
    peer.plain("500 Internal Server Error", R"({"error":"broken"})", "Retry-After: 0\r\n");
  });
  World world(1, 2);
  run_with(world, {.retries = 1}, {server.port()});
  EXPECT_EQ(world.outcomes(), (Counts{{"http_5xx", 2}}));
  EXPECT_EQ(world.records.requests[0].attempts, 2);
  EXPECT_EQ(world.records.client.retries, 2u);
}

TEST(RunLevelSettings, AWaitingRetryIsCancelledAtTheLevelsEnd) {
  Server server(
      [](Peer& peer, int, const std::string&) { peer.plain("503 Service Unavailable", "{}", "Retry-After: 60\r\n"); });
  World world(1, 1);
  world.course.longest = std::chrono::milliseconds(100);
  run_with(world, {.retries = 1}, {server.port()});
  EXPECT_EQ(world.outcomes(), (Counts{{"censored", 1}}));
}

TEST(RunLevelSettings, WaitsTwiceAsLongEachTimeUnlessTold) {
  Retries retries(3, std::chrono::seconds(1));
  RequestRecord record;
  record.outcome = Outcome::rejected;
  EXPECT_EQ(retries.due(record, 0, run_time(0)), run_time(500'000'000));
  EXPECT_EQ(retries.due(record, 2, run_time(0)), run_time(2'000'000'000));
  EXPECT_EQ(retries.due(record, 60, run_time(0)), run_time(60'000'000'000));
  record.retry_after = std::chrono::seconds(7);
  EXPECT_EQ(retries.due(record, 2, run_time(0)), run_time(7'000'000'000));
  EXPECT_TRUE(retries.wants(record, 2));
  EXPECT_FALSE(retries.wants(record, 3));
  record.outcome = Outcome::stream_error;
  EXPECT_FALSE(retries.wants(record, 0));
  record.outcome = Outcome::connection_cut;
  EXPECT_TRUE(retries.wants(record, 0));
  record.first_token = run_time(1);
  EXPECT_FALSE(retries.wants(record, 0)) << "tokens had come";
}

TEST(RunLevelSettings, ACapHoldsWhatIsDueAndSaysSo) {
  std::atomic<int> now{0}, most{0};
  Server server([&](Peer& peer, int, const std::string&) {
    most = std::max<int>(most, ++now);
    peer.pause(20);
    --now;
    answer_well(peer);
  });
  World world(1, 12);
  world.plan.level = {LevelKind::request_rate, 1000, Arrivals::constant};
  world.plan.level.max_in_flight = 2;
  for (std::size_t i = 0; i < 12; ++i) world.plan.requests[i].due = AtOffset{std::chrono::milliseconds(i)};
  world.run(server.port());
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 12}}));
  EXPECT_LE(most, 2);
  EXPECT_EQ(world.records.client.held_back, 10u);
  const RequestRecord& last = world.records.requests[11];
  EXPECT_EQ(*last.due, world.records.started + std::chrono::milliseconds(11)) << "late is late";
  EXPECT_GE(*last.sent - *last.due, std::chrono::milliseconds(80));
  EXPECT_LT(*world.records.client.send_lateness_max_ms, milliseconds(*last.sent - *last.due))
      << "not this client's own lateness";
}

TEST(RunLevelSettings, ARampSpreadsTheFirstReleases) {
  Server server([](Peer& peer, int, const std::string&) { peer.hang(); });
  World world(5, 5);
  world.plan.level.ramp = std::chrono::milliseconds(250);
  world.course.longest = std::chrono::milliseconds(300);
  world.run(server.port());
  ASSERT_EQ(world.records.requests.size(), 5u);
  for (int user = 0; user < 5; ++user) {
    const Nanos after = *world.records.requests[static_cast<std::size_t>(user)].due - world.records.started;
    EXPECT_GE(after, std::chrono::milliseconds(50 * user));
  }
}

TEST(RunLevelSettings, ServersGetRequestsInTurn) {
  std::atomic<int> count[3] = {};
  const auto counting = [&](int i) {
    return [&count, i](Peer& peer, int, const std::string&) {
      ++count[i];
      answer_well(peer);
    };
  };
  Server a(counting(0)), b(counting(1)), c(counting(2));
  World world(3, 30);
  run_with(world, {}, {a.port(), b.port(), c.port()});
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 30}}));
  for (const std::atomic<int>& each : count) EXPECT_EQ(each, 10);
}

TEST(RunLevelSettings, OrTheLeastBusyOneGetsThem) {
  std::atomic<int> quick{0}, stuck{0};
  Server a([&](Peer& peer, int, const std::string&) {
    ++stuck;
    peer.pause(300);
    answer_well(peer);
  });
  Server b([&](Peer& peer, int, const std::string&) {
    ++quick;
    answer_well(peer);
  });
  World world(2, 21);
  run_with(world, {.balance = Balance::least_outstanding}, {a.port(), b.port()});
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 21}}));
  EXPECT_GT(quick, 3 * stuck);
}

/// A thought and two words, without usage.
void answer_uncounted(Peer& peer) {
  peer.stream_head();
  peer.event(R"({"choices":[{"delta":{"role":"assistant","content":""}}]})");
  peer.event(R"({"choices":[{"delta":{"reasoning_content":"Well. "}}]})");
  peer.event(R"({"choices":[{"delta":{"content":"Hel"}}]})");
  peer.event(R"({"choices":[{"delta":{"content":"lo"}}]})");
  peer.event(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})");
  peer.event("[DONE]");
  peer.end_stream();
}

TEST(RunLevelSettings, TextsAreKeptWhereTheyAreWanted) {
  Server server([](Peer& peer, int number, const std::string&) {
    if (number == 1) return peer.plain("500 Internal Server Error", R"({"error":"broken"})");
    answer_uncounted(peer);
  });
  World wanted(1, 3);
  run_with(wanted, {.keep_texts = true}, {server.port()});
  ASSERT_EQ(wanted.outcomes(), (Counts{{"ok", 2}, {"http_5xx", 1}}));
  EXPECT_EQ(wanted.records.texts, (std::vector<std::string>{"Well. Hello", "", "Well. Hello"}));
  EXPECT_FALSE(wanted.records.requests[0].completion_tokens) << "nobody counted here";

  World unwanted(1, 2);
  run_with(unwanted, {}, {server.port()});
  EXPECT_TRUE(unwanted.records.texts.empty());
}

}  // namespace
}  // namespace loadline
