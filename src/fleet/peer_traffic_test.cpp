#include "fleet/peer_traffic.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

constexpr Nanos ms = std::chrono::milliseconds(1);

TEST(PeerTraffic, KeepsTheOrderOfEachReceiverAndTag) {
  PeerTraffic traffic(0, 3, Nanos(0));
  for (const char* word : {"a", "b", "c"}) traffic.post({1, Tag::control, word});
  for (const char* word : {"a", "b", "c"}) EXPECT_EQ(traffic.next_to_send()->bytes, word);
  EXPECT_FALSE(traffic.next_to_send());
  traffic.deliver({2, "x"}, Tag::events);
  traffic.deliver({1, "y"}, Tag::events);
  EXPECT_FALSE(traffic.take(Tag::control));
  EXPECT_EQ(traffic.take(Tag::events)->from, 2);
  EXPECT_EQ(traffic.take(Tag::events)->bytes, "y");
}

TEST(PeerTraffic, NothingIsSentToASilentRankUntilItSpeaks) {
  PeerTraffic traffic(0, 3, Nanos(0));
  traffic.heard(1, 1000 * ms);
  traffic.look(1000 * ms);
  traffic.post({2, Tag::control, "to the silent"});
  traffic.post({1, Tag::control, "to the living"});
  EXPECT_EQ(traffic.next_to_send()->bytes, "to the living");
  EXPECT_FALSE(traffic.next_to_send());
  EXPECT_FALSE(traffic.all_sent());
  traffic.heard(2, 1001 * ms);
  EXPECT_EQ(traffic.next_to_send()->bytes, "to the silent");
  EXPECT_TRUE(traffic.all_sent());
}

TEST(PeerTraffic, SilenceIsByTheLastLookAndNeverOfOneself) {
  PeerTraffic traffic(1, 2, 100 * ms);
  EXPECT_EQ(traffic.silence(0), Nanos(0));
  traffic.look(400 * ms);
  EXPECT_EQ(traffic.silence(0), 300 * ms);
  EXPECT_EQ(traffic.silence(1), Nanos(0));
  traffic.heard(0, 401 * ms);  // heard after the look
  EXPECT_EQ(traffic.silence(0), Nanos(0));
  EXPECT_EQ(traffic.looked_at(), 400 * ms);
}

TEST(PeerTraffic, RankZeroWaitsForAllWhoAreNotGivenUp) {
  PeerTraffic traffic(0, 3, Nanos(0));
  EXPECT_FALSE(traffic.all_left());
  traffic.post({1, Tag::control, "too late"});
  traffic.left(1);
  EXPECT_TRUE(traffic.has_left(1));
  EXPECT_FALSE(traffic.next_to_send()) << "nobody is there to read it";
  EXPECT_FALSE(traffic.all_left());
  EXPECT_FALSE(traffic.any_given_up());
  traffic.look(PeerTraffic::given_up + ms);
  EXPECT_TRUE(traffic.all_left()) << "rank 2 is given up";
  EXPECT_TRUE(traffic.any_given_up());
}

TEST(PeerTraffic, TheOthersOnlyWaitForRankZero) {
  PeerTraffic traffic(1, 3, Nanos(0));
  traffic.look(PeerTraffic::given_up / 2);
  EXPECT_FALSE(traffic.all_left());
  traffic.left(0);
  EXPECT_TRUE(traffic.all_left());
  traffic.look(PeerTraffic::given_up * 2);
  EXPECT_FALSE(traffic.any_given_up());
}

TEST(PeerTraffic, CloseIsToldToTheOtherThread) {
  PeerTraffic traffic(0, 1, Nanos(0));
  EXPECT_FALSE(traffic.is_closing());
  traffic.close();
  EXPECT_TRUE(traffic.is_closing());
  EXPECT_TRUE(traffic.all_left()) << "a fleet of one";
}

}  // namespace
}  // namespace loadline
