#include "fleet/peer_traffic.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

constexpr Nanos ms = std::chrono::milliseconds(1);

/// The messages of what goes next, read as if by their receiver.
std::vector<std::string> sent_next(PeerTraffic& traffic) {
  const std::optional<Outgoing> bundle = traffic.next_to_send();
  if (!bundle) return {};
  PeerTraffic receiver(bundle->to, 9, Nanos(0));
  EXPECT_TRUE(receiver.deliver(0, bundle->tag, bundle->bytes));
  std::vector<std::string> messages;
  while (std::optional<Message> message = receiver.take(bundle->tag)) messages.push_back(message->bytes);
  return messages;
}
using Words = std::vector<std::string>;

TEST(PeerTraffic, KeepsTheOrderOfEachReceiverAndTag) {
  PeerTraffic traffic(0, 3, Nanos(0));
  for (const char* word : {"a", "", "c"}) {
    traffic.post({1, Tag::control, word});
    traffic.post({2, Tag::control, std::string("to 2: ") + word});
    traffic.post({1, Tag::collective, std::string("other: ") + word});
  }
  EXPECT_EQ(sent_next(traffic), (Words{"a", "", "c"}));
  EXPECT_EQ(sent_next(traffic), (Words{"to 2: a", "to 2: ", "to 2: c"}));
  EXPECT_EQ(sent_next(traffic), (Words{"other: a", "other: ", "other: c"}));
  EXPECT_FALSE(traffic.next_to_send());
}

TEST(PeerTraffic, ATagIsTakenForItself) {
  PeerTraffic sender(2, 3, Nanos(0)), traffic(0, 3, Nanos(0));
  sender.post({0, Tag::events, std::string("x\0x", 3)});
  traffic.deliver(2, Tag::events, sender.next_to_send()->bytes);
  EXPECT_FALSE(traffic.take(Tag::control));
  const std::optional<Message> message = traffic.take(Tag::events);
  EXPECT_EQ(message->from, 2);
  EXPECT_EQ(message->bytes, std::string("x\0x", 3));
  EXPECT_FALSE(traffic.take(Tag::events));
}

TEST(PeerTraffic, EventsWaitForOneAnotherAndNothingElseDoes) {
  PeerTraffic traffic(1, 2, Nanos(0));
  traffic.post({0, Tag::events, "1"});
  EXPECT_EQ(sent_next(traffic), Words{"1"});
  traffic.look(PeerTraffic::bundled - ms);
  traffic.post({0, Tag::events, "2"});
  traffic.post({0, Tag::collective, "now"});
  traffic.post({0, Tag::events, "3"});
  EXPECT_EQ(sent_next(traffic), Words{"now"});
  EXPECT_FALSE(traffic.next_to_send());
  traffic.look(PeerTraffic::bundled);
  EXPECT_EQ(sent_next(traffic), (Words{"2", "3"}));
  traffic.post({0, Tag::events, "last"});
  EXPECT_FALSE(traffic.next_to_send());
  traffic.close();
  EXPECT_EQ(sent_next(traffic), Words{"last"}) << "who leaves waits for nothing";
}

TEST(PeerTraffic, ABundleHasAnEnd) {
  PeerTraffic traffic(0, 2, Nanos(0));
  for (int i = 0; i < 3; ++i) traffic.post({1, Tag::control, std::string(PeerTraffic::most_bundled / 2, 'x')});
  EXPECT_EQ(sent_next(traffic).size(), 2u);
  EXPECT_EQ(sent_next(traffic).size(), 1u);
}

TEST(PeerTraffic, WhatIsNoBundleIsNotDelivered) {
  PeerTraffic traffic(0, 2, Nanos(0));
  EXPECT_FALSE(traffic.deliver(1, Tag::events, "\1"));
  EXPECT_FALSE(traffic.deliver(1, Tag::events, std::string("\2\0\0\0x", 5)));
  EXPECT_FALSE(traffic.deliver(1, Tag::events, std::string("\xff\xff\xff\xff", 4)));
  EXPECT_FALSE(traffic.take(Tag::events));
}

TEST(PeerTraffic, NothingIsSentToASilentRankUntilItSpeaks) {
  PeerTraffic traffic(0, 3, Nanos(0));
  traffic.heard(1, 1000 * ms);
  traffic.look(1000 * ms);
  traffic.post({2, Tag::control, "to the silent"});
  traffic.post({1, Tag::control, "to the living"});
  EXPECT_EQ(sent_next(traffic), Words{"to the living"});
  EXPECT_FALSE(traffic.next_to_send());
  EXPECT_FALSE(traffic.all_sent());
  traffic.heard(2, 1001 * ms);
  EXPECT_EQ(sent_next(traffic), Words{"to the silent"});
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
