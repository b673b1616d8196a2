#include "load/run_level.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "load/scripted_server_test.h"
#include "wire/http_request.h"

namespace loadline {
namespace {

using scripted::Peer;
using scripted::Server;

/// Measures from the start: releases `releases` requests, then drains; cuts short after `ends` ended ones.
class CountingCourse : public LevelCourse {
 public:
  std::size_t most_releases = 1000000;
  std::size_t most_ends = 1000000;
  std::optional<Nanos> longest{};

  const LevelRecords* records = nullptr;
  std::size_t released_count = 0, ended_count = 0, token_count = 0;
  RunTime begun{}, last{};

  void start(const LevelRecords& r, RunTime now) override {
    records = &r;
    begun = last = now;
  }
  void released(std::uint32_t serial, RunTime now) override {
    note(now);
    EXPECT_EQ(serial, released_count) << "in plan order";
    EXPECT_EQ(records->requests[serial].serial, serial);
    EXPECT_TRUE(records->requests[serial].due);
    ++released_count;
  }
  void first_token(std::uint32_t serial, RunTime now) override {
    note(now);
    EXPECT_TRUE(records->requests[serial].first_token);
    ++token_count;
  }
  void ended(std::uint32_t serial, RunTime now) override {
    note(now);
    EXPECT_TRUE(records->requests[serial].closed);
    ++ended_count;
  }
  Phase phase(RunTime now) override {
    note(now);
    if (ended_count >= most_ends || (longest && now - begun >= *longest)) return Phase::finished;
    if (released_count < most_releases) return Phase::measuring;
    return ended_count == released_count ? Phase::finished : Phase::draining;
  }
  std::optional<RunTime> wake_at() const override {
    if (longest) return begun + *longest;
    return std::nullopt;
  }
  std::optional<RunTime> window_start() const override { return begun; }
  std::optional<RunTime> window_end() const override { return last; }

 private:
  void note(RunTime now) {
    EXPECT_GE(now, last) << "in order of time";
    last = now;
  }
};

struct World {
  Plan plan;
  Timeouts timeouts;
  std::string headers;
  std::vector<std::string> secrets{};
  SystemTime time;
  CountingCourse course;
  std::atomic<bool> interrupted{false};
  LevelRecords records;

  World(double users, std::size_t requests, std::int64_t completion = 2) {
    plan.level = {LevelKind::concurrency, users, Arrivals::closed};
    plan.ordinal = 3;
    plan.requests.resize(requests);
    for (PlannedRequest& planned : plan.requests) {
      planned.request.prompt.length = Tokens(5);
      planned.request.completion = Tokens(completion);
    }
  }
  Destination destination(std::uint16_t port) const {
    return {{loopback_address(port)}, "test:1", "/v1/completions", {}, headers, secrets};
  }
  void run(Client& client) {
    const BodyWriter write = [](const Plan&, std::uint32_t serial, std::string& body) {
      body = "{\"serial\":" + std::to_string(serial) + "}";
    };
    client.run_level(plan, course, write, records, interrupted);
  }
  void run(std::uint16_t port) {
    Client client(destination(port), timeouts, time);
    run(client);
  }
  std::map<std::string, int> outcomes() const {
    std::map<std::string, int> counts;
    for (const RequestRecord& r : records.requests) ++counts[std::string(name(r.outcome))];
    return counts;
  }
};

using Counts = std::map<std::string, int>;

void answer_well(Peer& peer) {
  peer.stream_head();
  peer.event(R"({"choices":[{"text":""}]})");
  peer.word();
  peer.word();
  peer.event(R"({"choices":[{"text":"","finish_reason":"length"}]})");
  peer.event(
      R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1}}})");
  peer.event("[DONE]");
  peer.end_stream();
}

/// What holds of every record, whatever happened.
void expect_sound(const LevelRecords& records) {
  for (std::size_t i = 0; i < records.requests.size(); ++i) {
    const RequestRecord& r = records.requests[i];
    EXPECT_EQ(r.serial, i);
    ASSERT_TRUE(r.due);
    ASSERT_TRUE(r.closed);
    EXPECT_GE(r.attempts, 1);
    EXPECT_LE(records.started, *r.due);
    EXPECT_LE(*r.closed, records.ended);
    RunTime last = *r.due;
    for (const std::optional<RunTime>& t : {r.sent, r.first_byte, r.first_token, r.last_token, r.closed}) {
      if (!t) continue;
      EXPECT_LE(last, *t) << "request " << i;
      last = *t;
    }
    EXPECT_EQ(r.gaps.count, r.events > 0 ? r.events - 1 : 0);
    if (r.events > 0) {
      std::int64_t sum = 0;
      for (const std::uint32_t gap : records.gaps.at(r.gaps)) sum += gap;
      EXPECT_EQ(sum, (*r.last_token - *r.first_token).count() / nanos_per_gap_unit);
    }
  }
}

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
  EXPECT_TRUE(self.kernel_stamped_share);
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
