#include "load/run_level.h"

#include <gtest/gtest.h>

#include <atomic>

#include "load/level_world_test.h"

namespace loadline {
namespace {

using scripted::answer_well;
using scripted::CountingCourse;
using scripted::Counts;
using scripted::expect_sound;
using scripted::Peer;
using scripted::Server;
using scripted::World;

TEST(RunLevel, ClosedLoopKeepsItsUsersBusy) {
  std::mutex mutex;
  std::vector<std::string> requests;
  Server server([&](Peer& peer, int, const std::string& request) {
    {
      const std::lock_guard lock(mutex);
      requests.push_back(request);
    }
    peer.pause(2);
    answer_well(peer);
  });
  World world(4, 100);
  world.course.most_releases = 40;
  world.run(server.port());
  expect_sound(world.records);
  ASSERT_EQ(world.records.requests.size(), 40u) << "only what was released";
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 40}}));
  EXPECT_EQ(world.course.ended_count, 40u);
  EXPECT_EQ(world.course.token_count, 40u);
  EXPECT_EQ(server.connections(), 4) << "one a user, opened ahead and kept";
  EXPECT_LE(server.most_at_once(), 4);
  EXPECT_EQ(world.records.state, "complete");
  EXPECT_EQ(world.records.ordinal, 3u);
  EXPECT_EQ(world.records.window_start, world.course.begun);
  EXPECT_TRUE(world.records.window_end);
  const RequestRecord& r = world.records.requests[7];
  EXPECT_EQ(r.events, 2u);
  EXPECT_EQ(r.prompt_tokens, Tokens(5));
  EXPECT_EQ(r.completion_tokens, Tokens(2));
  EXPECT_EQ(r.cached_tokens, Tokens(1));
  EXPECT_EQ(r.http_status, 200);
  EXPECT_EQ(r.planned_prompt, Tokens(5));
  EXPECT_EQ(r.attempts, 1);
  std::sort(requests.begin(), requests.end());
  EXPECT_EQ(std::unique(requests.begin(), requests.end()), requests.end()) << "each body once";
  EXPECT_TRUE(requests[0].starts_with("POST /v1/completions HTTP/1.1\r\nHost: test:1\r\n")) << requests[0];
  const ClientSelf& self = world.records.client;
  EXPECT_TRUE(self.send_lateness_p99_ms);
  EXPECT_TRUE(self.cpu_share);
  EXPECT_TRUE(self.kernel_stamped_share());
  EXPECT_EQ(self.reconnects, 0u);
}

TEST(RunLevel, MeasuresFromDueToTheFirstOutput) {
  Server server([](Peer& peer, int, const std::string&) {
    peer.stream_head();
    peer.event(R"({"choices":[{"delta":{"role":"assistant","content":""}}]})");
    peer.pause(40);
    peer.word();
    peer.pause(20);
    peer.word();
    peer.pause(30);
    peer.event("[DONE]");
    peer.end_stream();
  });
  World world(1, 3);
  world.run(server.port());
  expect_sound(world.records);
  ASSERT_EQ(world.records.requests.size(), 3u);
  for (const RequestRecord& r : world.records.requests) {
    EXPECT_GE(*ttft(r), std::chrono::milliseconds(39));
    EXPECT_GE(*r.last_token - *r.first_token, std::chrono::milliseconds(10));
    EXPECT_GE(*r.closed - *r.last_token, std::chrono::milliseconds(20)) << "the end of the stream is not a token";
    EXPECT_LT(*r.first_byte - *r.sent, *r.first_token - *r.sent) << "the first byte is not the first token";
    EXPECT_FALSE(r.coalesced);
  }
}

TEST(RunLevel, OpenLoopIsNeverSlowedByTheServer) {
  Server server([](Peer& peer, int, const std::string&) {
    peer.pause(150);
    answer_well(peer);
  });
  World world(1, 20);
  world.plan.level = {LevelKind::request_rate, 200, Arrivals::constant};
  for (int i = 0; i < 20; ++i)
    world.plan.requests[static_cast<std::size_t>(i)].due = AtOffset{std::chrono::milliseconds(5) * i};
  world.run(server.port());
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 20}}));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(*world.records.requests[static_cast<std::size_t>(i)].due,
              world.records.started + std::chrono::milliseconds(5) * i)
        << "absolute, to the nanosecond";
  }
  EXPECT_GT(server.most_at_once(), 5) << "sent while others were under way";
}

TEST(RunLevel, WaitsForAWindowThatClosesByTime) {
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  World world(1, 2);
  world.course.longest = std::chrono::milliseconds(150);
  world.run(server.port());
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 2}}));
  EXPECT_GE(world.records.ended - world.records.started, std::chrono::milliseconds(150));
}

TEST(RunLevel, UsersRestAfterADeadServer) {
  std::uint16_t refused = 0;
  {
    refused = listen_on_loopback().port;
  }
  Server mute([](Peer& peer, int, const std::string&) { peer.close(); });
  for (const std::uint16_t port : {refused, mute.port()}) {
    World world(3, 9);
    world.run(port);
    expect_sound(world.records);
    ASSERT_EQ(world.records.requests.size(), 9u);
    std::vector<RunTime> ends;  // the k-th end frees the user of request k + 3
    for (const RequestRecord& r : world.records.requests) ends.push_back(*r.closed);
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 3; i < 9; ++i) {
      EXPECT_GE(*world.records.requests[i].due - ends[i - 3], std::chrono::milliseconds(100)) << "request " << i;
    }
  }
}

TEST(RunLevel, TheWindowDecidesWhatIsWarmup) {
  class OpensLate final : public CountingCourse {
   public:
    std::optional<RunTime> opened{};
    Phase phase(RunTime now) override {
      if (!opened && ended_count >= 4) opened = now;
      const Phase counted = CountingCourse::phase(now);
      return !opened && counted == Phase::measuring ? Phase::warming_up : counted;
    }
    std::optional<RunTime> window_start() const override { return opened; }
  };
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  World world(2, 20);
  OpensLate course;
  const BodyWriter write = [](const Plan&, std::uint32_t, std::string& body) { body = "{}"; };
  Client client(world.destination(server.port()), world.timeouts, world.time);
  client.run_level(world.plan, course, write, world.records, world.interrupted);
  ASSERT_EQ(world.records.requests.size(), 20u);
  for (const RequestRecord& r : world.records.requests) EXPECT_EQ(r.warmup, *r.due < *course.opened) << r.serial;
  EXPECT_TRUE(world.records.requests.front().warmup);
  EXPECT_FALSE(world.records.requests.back().warmup);
}

TEST(RunLevel, CancelsWhatIsInFlightAtTheEnd) {
  // The fifth answer ends only when both other users' requests are on the wire: what is cancelled was sent.
  std::atomic<int> hanging = 0;
  Server server([&](Peer& peer, int number, const std::string&) {
    if (number < 5) {
      while (number == 4 && hanging < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return answer_well(peer);
    }
    peer.stream_head();
    peer.word();
    ++hanging;
    peer.hang();
  });
  World world(3, 100);
  world.course.most_ends = 5;
  world.run(server.port());
  expect_sound(world.records);
  const Counts counts = world.outcomes();
  EXPECT_EQ(counts.at("ok"), 5);
  EXPECT_EQ(world.course.ended_count, 5u) << "a course that is over is told nothing";
  EXPECT_EQ(world.records.requests.size(), world.course.released_count);
  EXPECT_EQ(world.course.released_count, 7u);
  EXPECT_EQ(counts.at("censored"), 2);
  EXPECT_EQ(world.records.state, "complete");
}

TEST(RunLevel, StopsWhenInterrupted) {
  Server server([](Peer& peer, int, const std::string&) {
    peer.stream_head();
    peer.word();
    peer.hang();
  });
  World world(2, 100);
  std::thread user([&] {
    while (server.requests() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    world.interrupted = true;
  });
  world.run(server.port());
  user.join();
  expect_sound(world.records);
  EXPECT_EQ(world.records.state, "interrupted");
  EXPECT_EQ(world.outcomes(), (Counts{{"censored", 2}}));
}

TEST(RunLevel, SendsLargeBodiesWhole) {
  std::atomic<std::size_t> got{0};
  Server server([&](Peer& peer, int, const std::string& request) {
    got = request.size();
    answer_well(peer);
  });
  World world(1, 1);
  Client client(world.destination(server.port()), world.timeouts, world.time);
  const BodyWriter write = [](const Plan&, std::uint32_t, std::string& body) { body.assign(20'000'000, 'x'); };
  client.run_level(world.plan, world.course, write, world.records, world.interrupted);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 1}}));
  EXPECT_GT(got, 20'000'000u);
}

TEST(RunLevel, ManyStreamsAtOnceAllCount) {
  Server server([](Peer& peer, int, const std::string&) {
    peer.stream_head();
    for (int i = 0; i < 50; ++i) peer.word();
    peer.event(R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":50}})");
    peer.event("[DONE]");
    peer.end_stream();
  });
  World world(32, 300, 50);
  world.run(server.port());
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 300}}));
  std::uint64_t events = 0;
  for (const RequestRecord& r : world.records.requests) events += r.events;
  EXPECT_EQ(events, 300u * 50u);
  EXPECT_EQ(world.records.gaps.size(), 300u * 49u);
  EXPECT_EQ(server.connections(), 32);
}

}  // namespace
}  // namespace loadline
