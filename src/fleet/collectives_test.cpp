#include <gtest/gtest.h>

#include "core/error.h"
#include "fleet/lone_communicator.h"
#include "fleet/memory_fleet_test.h"

namespace loadline {
namespace {

constexpr Nanos patience = std::chrono::seconds(60);

TEST(Collectives, GatherIsByRankAndBroadcastIsOfRankZero) {
  MemoryFleet fleet(4);
  std::vector<std::string> gathered, heard(4);
  fleet.run([&](Communicator& communicator) {
    const std::string own(static_cast<std::size_t>(communicator.rank()), 'x');
    std::vector<std::string> all = communicator.gather(own, patience);
    if (communicator.rank() == 0) gathered = all;
    EXPECT_EQ(all.size(), communicator.rank() == 0 ? 4U : 0U);
    heard[static_cast<std::size_t>(communicator.rank())] = communicator.broadcast(own + "!", patience);
  });
  EXPECT_EQ(gathered, (std::vector<std::string>{"", "x", "xx", "xxx"}));
  EXPECT_EQ(heard, (std::vector<std::string>{"!", "!", "!", "!"}));
}

TEST(Collectives, NobodyPassesABarrierBeforeAllAreThere) {
  MemoryFleet fleet(3);
  std::atomic<int> arrived = 0;
  fleet.run([&](Communicator& communicator) {
    for (int round = 1; round <= 20; ++round) {
      ++arrived;
      communicator.barrier(patience);
      EXPECT_GE(arrived, 3 * round);
    }
  });
  EXPECT_EQ(arrived, 60);
}

TEST(Collectives, AFastRankMayBeAheadOfASlowOne) {
  MemoryFleet fleet(3);
  fleet.run([](Communicator& communicator) {
    for (int round = 0; round < 5; ++round) {
      // Rank 2's five messages are sent before rank 1 has sent any.
      if (communicator.rank() == 1 && round == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::vector<std::string> all = communicator.gather(std::to_string(round), patience);
      for (const std::string& bytes : all) EXPECT_EQ(bytes, std::to_string(round));
    }
    communicator.barrier(patience);
  });
}

TEST(Collectives, TheOneThatDoesNotComeIsNamed) {
  MemoryFleet fleet(3);
  fleet.run([](Communicator& communicator) {
    if (communicator.rank() == 2) return;
    if (communicator.rank() == 1) return communicator.send(0, Tag::collective, {});
    try {
      communicator.gather({}, patience);
      FAIL() << "rank 2 left";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::not_valid);
      EXPECT_NE(std::string(error.what()).find("rank 2 (host-2)"), std::string::npos) << error.what();
    }
  });
}

TEST(Collectives, PatienceHasAnEnd) {
  MemoryFleet fleet(2);
  std::atomic<bool> given_up = false;
  fleet.run([&](Communicator& communicator) {
    if (communicator.rank() == 0) {
      EXPECT_THROW(communicator.barrier(std::chrono::milliseconds(5)), Error);
      given_up = true;
    }
    while (!given_up) std::this_thread::yield();
  });
}

TEST(LostRank, IsTheSilentOneAndNobodyWhereAllSpeak) {
  MemoryFleet fleet(3);
  std::optional<int> before, after, seen_by_another;
  fleet.run([&](Communicator& communicator) {
    if (communicator.rank() == 0) before = lost_rank(communicator);
    if (communicator.rank() == 0) fleet.silence(2);
    if (communicator.rank() == 0) after = lost_rank(communicator);
    communicator.barrier(patience);
    if (communicator.rank() == 1) seen_by_another = lost_rank(communicator);
    communicator.barrier(patience);
  });
  EXPECT_EQ(before, std::nullopt);
  EXPECT_EQ(after, 2);
  EXPECT_EQ(seen_by_another, std::nullopt) << "others only know rank 0";
}

TEST(LoneCommunicator, IsAFleetOfOne) {
  LoneCommunicator communicator("here");
  EXPECT_EQ(communicator.gather("mine", patience), std::vector<std::string>{"mine"});
  EXPECT_EQ(communicator.broadcast("mine", patience), "mine");
  communicator.barrier(patience);
  communicator.send(0, Tag::events, "to myself");
  EXPECT_FALSE(communicator.poll(Tag::control));
  EXPECT_EQ(communicator.poll(Tag::events)->bytes, "to myself");
  EXPECT_FALSE(communicator.poll(Tag::events));
  EXPECT_EQ(lost_rank(communicator), std::nullopt);
  EXPECT_EQ(name_of(communicator, 0), "rank 0 (here)");
}

}  // namespace
}  // namespace loadline
