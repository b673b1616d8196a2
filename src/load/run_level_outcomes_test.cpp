// What becomes of a request and of its connection, by what the server does.
#include <gtest/gtest.h>

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

TEST(RunLevel, ClassesWhatServersDo) {
  const std::string kinds[] = {"ok",       "short",    "empty",          "stream_error", "http_4xx",
                               "http_5xx", "rejected", "connection_cut", "no_finish",    "protocol_error"};
  Server server([&](Peer& peer, int number, const std::string&) {
    switch (number % 10) {
      case 0:
        return answer_well(peer);
      case 1:
        peer.stream_head();
        peer.event(
            R"({"choices":[{"text":"w","finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1}})");
        peer.event("[DONE]");
        return peer.end_stream();
      case 2:
        peer.stream_head();
        peer.event("[DONE]");
        return peer.end_stream();
      case 3:
        peer.stream_head();
        peer.word();
        peer.event(R"({"error":{"message":"gone"}})");
        return peer.end_stream();
      case 4:
        return peer.plain("404 Not Found", R"({"error":{"message":"no model; key sk-secret-1"}})");
      case 5:
        return peer.plain("500 Oops", "{}");
      case 6:
        return peer.plain("503 Busy", R"({"error":"full"})", "Retry-After: 1\r\n");
      case 7:
        peer.stream_head();
        peer.word();
        peer.pause(5);
        return peer.reset();
      case 8:
        peer.stream_head();
        peer.word();
        return peer.end_stream();
      default:
        peer.send("nonsense\r\n\r\n");
        return peer.close();
    }
  });
  World world(1, 20);
  append_header(world.headers, "X-Tenant", "sk-secret-1");
  world.secrets = {"sk-secret-1"};  // whatever the header's name
  world.run(server.port());
  expect_sound(world.records);
  ASSERT_EQ(world.records.requests.size(), 20u);
  for (std::size_t i = 0; i < 20; ++i) {
    const RequestRecord& r = world.records.requests[i];
    EXPECT_EQ(name(r.outcome), kinds[i % 10]) << i << ": " << r.message;
    EXPECT_EQ(r.message.empty(), succeeded(r.outcome)) << i;
    EXPECT_EQ(r.message.find("sk-secret"), std::string::npos) << r.message;
  }
  EXPECT_EQ(world.records.requests[3].message, "gone");
  EXPECT_EQ(world.records.requests[6].http_status, 503);
  EXPECT_EQ(world.records.requests[7].events, 1u) << "what came before the cut is kept";
}

TEST(RunLevel, GivesUpInTime) {
  Server server([](Peer& peer, int number, const std::string&) {
    if (number == 0) return peer.hang();
    peer.stream_head();
    peer.word();
    if (number == 1) return peer.hang();
    if (number == 3) {  // the end is told, the framing's end never comes
      peer.event("[DONE]");
      return peer.hang();
    }
    peer.send("3\r\n:\n\n\r\n");  // a comment is a byte too
    peer.hang();
  });
  World world(4, 4);
  world.timeouts.first_byte = std::chrono::milliseconds(150);
  world.timeouts.idle = std::chrono::milliseconds(200);
  world.timeouts.total = std::chrono::milliseconds(400);
  world.run(server.port());
  expect_sound(world.records);
  const Counts counts = world.outcomes();
  EXPECT_EQ(counts.at("no_first_byte"), 1);
  EXPECT_EQ(counts.at("ok"), 1) << "[DONE] came";
  EXPECT_EQ(counts.at("idle_timeout"), 2);
  EXPECT_LT(world.records.ended - world.records.started, std::chrono::seconds(5));
}

TEST(RunLevel, AnEndlessAnswerMeetsTheTotalTimeout) {
  std::atomic<bool> gone{false};
  Server server([&](Peer& peer, int, const std::string&) {
    peer.stream_head();
    for (int i = 0; i < 1000 && !gone; ++i) {
      peer.chunk(":\n\n");
      peer.pause(5);
    }
  });
  World world(1, 1);
  world.timeouts.idle = std::chrono::seconds(20);
  world.timeouts.total = std::chrono::milliseconds(200);
  world.run(server.port());
  gone = true;
  EXPECT_EQ(world.outcomes(), (Counts{{"total_timeout", 1}}));
}

TEST(RunLevel, ARefusedConnectIsAClass) {
  std::uint16_t port = 0;
  {
    port = listen_on_loopback().port;
  }
  World world(3, 1000);
  world.course.most_releases = 12;
  world.run(port);
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (Counts{{"connect_failed", 12}}));
  EXPECT_NE(world.records.requests[0].message.find("refused"), std::string::npos);
  EXPECT_FALSE(world.records.requests[0].sent);
}

TEST(RunLevel, TriesTheNextAddress) {
  std::uint16_t dead = 0;
  {
    dead = listen_on_loopback().port;
  }
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  World world(2, 6);
  Destination destination = world.destination(server.port());
  destination.addresses.insert(destination.addresses.begin(), loopback_address(dead));
  Client client(destination, world.timeouts, world.time);
  world.run(client);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 6}}));
}

TEST(RunLevel, AStaleConnectionIsUsedOnceMoreAnew) {
  Server server([](Peer& peer, int, const std::string&) {
    answer_well(peer);    // says nothing of closing
    peer.next_request();  // takes the next request without a byte of answer
    peer.close();
  });
  World world(1, 4);
  world.run(server.port());
  expect_sound(world.records);
  EXPECT_EQ(world.outcomes(), (Counts{{"ok", 4}}));
  EXPECT_EQ(world.records.requests[0].attempts, 1);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(world.records.requests[i].attempts, 2) << i;
  EXPECT_EQ(world.records.client.reconnects, 3u);
}

TEST(RunLevel, AServerThatClosesWithoutAWordIsCut) {
  Server server([](Peer& peer, int, const std::string&) { peer.close(); });
  World world(1, 3);
  world.run(server.port());
  EXPECT_EQ(world.outcomes(), (Counts{{"connection_cut", 3}})) << "once more, and no more";
  EXPECT_LE(server.requests(), 6);
}

TEST(RunLevel, KeepsConnectionsFromLevelToLevel) {
  Server server([](Peer& peer, int, const std::string&) { answer_well(peer); });
  World first(3, 9);
  Client client(first.destination(server.port()), first.timeouts, first.time);
  first.run(client);
  EXPECT_EQ(first.outcomes(), (Counts{{"ok", 9}}));
  World second(5, 10);
  const BodyWriter write = [](const Plan&, std::uint32_t, std::string& body) { body = "{}"; };
  client.run_level(second.plan, second.course, write, second.records, second.interrupted);
  EXPECT_EQ(second.outcomes(), (Counts{{"ok", 10}}));
  EXPECT_EQ(server.connections(), 5);
}

}  // namespace
}  // namespace loadline
