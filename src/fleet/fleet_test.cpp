#include "fleet/fleet.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "load/level_world_test.h"

namespace loadline {
namespace {

using namespace scripted;

struct FleetWorld {
  World world;
  Nanos start = SystemTime::monotonic_now();
  SystemTime time{1.0, start};

  FleetWorld(double users, std::size_t requests) : world(users, requests) {}

  ClientMaker maker(std::vector<std::uint16_t> ports) const {
    ClientMaker maker;
    for (const std::uint16_t port : ports) maker.destinations.push_back(world.destination(port));
    maker.settings.timeouts = world.timeouts;
    maker.body_writer = [] {
      return [](const Plan&, std::uint32_t plan_index, std::string& body) {
        body = "{\"request\":" + std::to_string(plan_index) + "}";
      };
    };
    const Nanos from = start;
    maker.time = [from] { return std::make_unique<SystemTime>(1.0, from); };
    return maker;
  }
  void run(ClientMaker maker, std::size_t threads) {
    Fleet fleet(std::move(maker), threads, time);
    fleet.run_level(world.plan, world.course, world.records, world.interrupted);
  }
};

/// Notes the requests' bodies and how many were on the way together.
class CountingServer {
 public:
  void answer(Peer& peer, const std::string& request) {
    {
      const std::lock_guard lock(mutex_);
      bodies_.push_back(request.substr(request.find("{\"request\"")));
      most_ = std::max(most_, ++now_);
    }
    peer.pause(2);
    {
      const std::lock_guard lock(mutex_);
      --now_;
    }
    answer_well(peer);
  }
  std::vector<std::string> bodies() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> sorted = bodies_;
    std::ranges::sort(sorted);
    return sorted;
  }
  int most() const { return most_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> bodies_;
  int now_ = 0, most_ = 0;
};

TEST(Fleet, SendsEveryRequestOnceOnAnyNumberOfThreads) {
  for (const std::size_t threads : {1, 3}) {
    CountingServer counting;
    Server server([&](Peer& peer, int, const std::string& request) { counting.answer(peer, request); });
    FleetWorld fleet(6, 60);
    fleet.run(fleet.maker({server.port()}), threads);
    EXPECT_EQ(fleet.world.outcomes(), (Counts{{"ok", 60}})) << threads;
    EXPECT_EQ(fleet.world.course.ended_count, 60u);
    std::vector<std::string> expected;
    for (int i = 0; i < 60; ++i) expected.push_back("{\"request\":" + std::to_string(i) + "}");
    std::ranges::sort(expected);
    EXPECT_EQ(counting.bodies(), expected);
    EXPECT_LE(counting.most(), 6) << "never more in flight than users";
    EXPECT_EQ(fleet.world.records.client.threads, threads);
    EXPECT_EQ(fleet.world.records.client.thread_cpu_shares.size(), threads);
    expect_sound(fleet.world.records);
  }
}

TEST(Fleet, NoMoreThreadsThanUsers) {
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  FleetWorld fleet(2, 10);
  fleet.run(fleet.maker({server.port()}), 8);
  EXPECT_EQ(fleet.world.records.client.threads, 2u);
  EXPECT_EQ(fleet.world.outcomes(), (Counts{{"ok", 10}}));
}

TEST(Fleet, LevelsFollowOneAnother) {
  CountingServer counting;
  Server server([&](Peer& peer, int, const std::string& request) { counting.answer(peer, request); });
  FleetWorld first(4, 12), second(2, 8);
  Fleet fleet(first.maker({server.port()}), 2, first.time);
  fleet.run_level(first.world.plan, first.world.course, first.world.records, first.world.interrupted);
  fleet.run_level(second.world.plan, second.world.course, second.world.records, second.world.interrupted);
  EXPECT_EQ(second.world.outcomes(), (Counts{{"ok", 8}}));
  EXPECT_GE(second.world.records.started, first.world.records.ended);
}

TEST(Fleet, EndsWhatIsInFlightWhenTheCourseIsOver) {
  Server server([](Peer& peer, int, const std::string&) { peer.hang(); });
  FleetWorld fleet(4, 40);
  fleet.world.course.longest = std::chrono::milliseconds(100);
  fleet.run(fleet.maker({server.port()}), 2);
  EXPECT_EQ(fleet.world.outcomes(), (Counts{{"censored", 4}}));
  EXPECT_EQ(fleet.world.records.state, "complete");
}

TEST(Fleet, WaitsForAWindowThatClosesByTime) {
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  FleetWorld fleet(2, 4);
  fleet.world.course.longest = std::chrono::milliseconds(300);
  fleet.run(fleet.maker({server.port()}), 2);
  EXPECT_EQ(fleet.world.outcomes(), (Counts{{"ok", 4}}));
  EXPECT_GE(fleet.world.records.ended - fleet.world.records.started, std::chrono::milliseconds(300));
}

TEST(Fleet, StopsWhenInterrupted) {
  Server server([](Peer& peer, int, const std::string&) { peer.hang(); });
  FleetWorld fleet(4, 40);
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    fleet.world.interrupted = true;
  });
  fleet.run(fleet.maker({server.port()}), 2);
  stopper.join();
  EXPECT_EQ(fleet.world.records.state, "interrupted");
  EXPECT_EQ(fleet.world.outcomes(), (Counts{{"censored", 4}}));
}

TEST(Fleet, AFailureOfOneThreadEndsTheLevelAndIsTold) {
  Server server([](Peer& peer, int, const std::string&) { peer.hang(); });
  FleetWorld fleet(4, 40);
  ClientMaker maker = fleet.maker({server.port()});
  std::atomic<int> made{0};
  maker.body_writer = [&made] {
    const bool bad = made++ == 1;
    return [bad](const Plan&, std::uint32_t, std::string& body) {
      if (bad) throw Error("row 7 has no text");
      body = "{}";
    };
  };
  EXPECT_THROW(fleet.run(std::move(maker), 2), Error);
}

TEST(Fleet, TheConductorCountsTheTextsOfItsThreads) {
  Server server([](Peer& peer, int number, const std::string&) {
    peer.stream_head();
    for (int i = 0; i <= number % 3; ++i) peer.word();
    peer.event(R"({"choices":[{"text":"","finish_reason":"stop"}]})");
    peer.event("[DONE]");
    peer.end_stream();
  });
  FleetWorld fleet(4, 30);
  ClientMaker maker = fleet.maker({server.port()});
  maker.settings.keep_texts = true;
  const std::thread::id conductor = std::this_thread::get_id();
  maker.count_text = [conductor](const std::string& text, RequestRecord& record) {
    EXPECT_EQ(std::this_thread::get_id(), conductor);
    EXPECT_TRUE(record.closed) << "its latencies are complete";
    EXPECT_EQ(text, std::string(record.events, 'w')) << "each record with its own text";
    record.completion_tokens = Tokens(static_cast<std::int64_t>(text.size()));
    record.token_source = TokenSource::tokenizer;
  };
  fleet.run(std::move(maker), 2);
  ASSERT_EQ(fleet.world.outcomes(), (Counts{{"ok", 30}}));
  Tokens sum{};
  for (const RequestRecord& record : fleet.world.records.requests) sum += record.completion_tokens.value_or(Tokens(0));
  EXPECT_EQ(sum, Tokens(60)) << "ten answers each of one, two and three";
}

}  // namespace
}  // namespace loadline
