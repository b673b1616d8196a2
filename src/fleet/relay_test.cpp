// Ranks as threads of one process: rank 0 with a fleet, the others with a relay, all against one scripted server.
#include "fleet/relay.h"

#include <gtest/gtest.h>

#include <mutex>

#include "core/error.h"
#include "fleet/fleet.h"
#include "fleet/memory_fleet_test.h"
#include "load/level_world_test.h"

namespace loadline {
namespace {

using namespace scripted;

ClientMaker maker_for(const World& world, std::uint16_t port, Nanos start) {
  ClientMaker maker;
  maker.destinations = {world.destination(port)};
  maker.settings.timeouts = world.timeouts;
  maker.body_writer = [] {
    return [](const Plan& plan, std::uint32_t index, std::string& body) {
      body = "{\"request\":" + std::to_string(plan.requests[index].request.prompt.own) + "}";
    };
  };
  maker.time = [start] { return std::make_unique<SystemTime>(1.0, start); };
  return maker;
}

/// Counts what a rank keeps.
class CountingSink final : public PartSink {
 public:
  int started = 0, ended = 0, records = 0, windows = 0;
  double target = 0;
  void level_started(std::uint32_t, const Level& level, RunTime) override {
    ++started;
    target = level.target;
  }
  void window(std::optional<RunTime> start, std::optional<RunTime>) override { windows += start ? 1 : 0; }
  void happened(std::uint32_t, const Batch& batch) override { records += static_cast<int>(batch.records.size()); }
  void level_ended(RunTime, bool) override { ++ended; }
};

Plan numbered(Plan plan) {
  for (std::size_t i = 0; i < plan.requests.size(); ++i) plan.requests[i].request.prompt.own = i;
  return plan;
}

TEST(Relay, ThreeRanksCarryOneLevel) {
  std::mutex mutex;
  std::vector<std::string> bodies;
  Server server([&](Peer& peer, int, const std::string& request) {
    {
      const std::lock_guard lock(mutex);
      bodies.push_back(request.substr(request.find("{\"request\"")));
    }
    answer_well(peer);
  });
  World world(7, 70);
  world.plan = numbered(world.plan);
  const Nanos start = SystemTime::monotonic_now();
  std::array<CountingSink, 3> sinks;
  MemoryFleet ranks(3);
  ranks.run([&](Communicator& communicator) {
    SystemTime time(1.0, start);
    const ClientMaker maker = maker_for(world, server.port(), start);
    if (communicator.rank() > 0) {
      Relay relay(maker, 2, time, communicator, sinks[static_cast<std::size_t>(communicator.rank())]);
      return relay.serve(world.interrupted);
    }
    RemoteShares others(communicator);
    Fleet fleet(maker, 2, time, &others);
    fleet.run_level(world.plan, world.course, world.records, world.interrupted);
    EXPECT_FALSE(fleet.lost());
  });
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 70}}));
  EXPECT_EQ(world.course.ended_count, 70u);
  EXPECT_EQ(world.records.client.threads, 6u);
  EXPECT_EQ(world.records.client.machines, 3u);
  EXPECT_TRUE(world.records.client.clock_residual_us);
  expect_sound(world.records);
  std::ranges::sort(bodies);
  EXPECT_EQ(std::ranges::unique(bodies).begin() - bodies.begin(), 70) << "every request once";
  EXPECT_EQ(sinks[1].target + sinks[2].target, 4) << "7 users on 6 shares: rank 0 has three";
  EXPECT_EQ(sinks[1].started, 1);
  EXPECT_EQ(sinks[1].ended, 1);
  EXPECT_GT(sinks[1].windows, 0);
  EXPECT_GT(sinks[1].records, 0);
  EXPECT_LT(sinks[1].records + sinks[2].records, 70);
}

TEST(Relay, ARankThatFallsSilentEndsTheLevel) {
  std::atomic<int> answered{0};
  Server server([&](Peer& peer, int, const std::string&) {
    peer.pause(5);
    answer_well(peer);
    ++answered;
  });
  World world(4, 20000);
  const Nanos start = SystemTime::monotonic_now();
  MemoryFleet ranks(2);
  std::optional<std::string> lost;
  std::atomic<bool> stop_silent_rank{false};
  ranks.run([&](Communicator& communicator) {
    SystemTime time(1.0, start);
    const ClientMaker maker = maker_for(world, server.port(), start);
    if (communicator.rank() == 1) {
      CountingSink sink;
      Relay relay(maker, 1, time, communicator, sink);
      std::thread killer([&] {
        while (answered < 100) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ranks.silence(1);
        std::this_thread::sleep_for(std::chrono::milliseconds(800));
        stop_silent_rank = true;
      });
      try {
        relay.serve(stop_silent_rank);
      } catch (const Error&) {
        // rank 0 ended the run meanwhile
      }
      return killer.join();
    }
    RemoteShares others(communicator);
    Fleet fleet(maker, 1, time, &others);
    fleet.run_level(world.plan, world.course, world.records, world.interrupted);
    lost = fleet.lost();
  });
  ASSERT_TRUE(lost);
  EXPECT_NE(lost->find("rank 1 (host-1)"), std::string::npos) << *lost;
  EXPECT_EQ(world.records.state, "interrupted");
  EXPECT_GT(world.outcomes()["ok"], 10) << "what was measured stays";
  expect_sound(world.records);
}

TEST(Relay, AFailureOfAnotherRankIsTold) {
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  World world(2, 1000);
  const Nanos start = SystemTime::monotonic_now();
  MemoryFleet ranks(2);
  std::optional<std::string> lost;
  std::string told;
  ranks.run([&](Communicator& communicator) {
    SystemTime time(1.0, start);
    ClientMaker maker = maker_for(world, server.port(), start);
    if (communicator.rank() == 1) {
      maker.body_writer = [] {
        return [](const Plan&, std::uint32_t, std::string&) { throw Error("row 7 has no text"); };
      };
      CountingSink sink;
      Relay relay(maker, 1, time, communicator, sink);
      try {
        relay.serve(world.interrupted);
      } catch (const Error& error) {
        told = error.what();
      }
      return;
    }
    RemoteShares others(communicator);
    Fleet fleet(maker, 1, time, &others);
    fleet.run_level(world.plan, world.course, world.records, world.interrupted);
    lost = fleet.lost();
  });
  ASSERT_TRUE(lost);
  EXPECT_EQ(*lost, "rank 1 (host-1): row 7 has no text");
  EXPECT_NE(told.find("row 7 has no text"), std::string::npos) << told;
}

}  // namespace
}  // namespace loadline
