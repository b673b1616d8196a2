#pragma once
// A level against a scripted server, for tests: a plan, a course that counts, a client, the records.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "load/run_level.h"
#include "load/scripted_server_test.h"
#include "wire/http_request.h"

namespace loadline::scripted {

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
    EXPECT_EQ(serial, released_count) << "in order of release";
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
    const BodyWriter write = [](const Plan&, std::uint32_t plan_index, std::string& body) {
      body = "{\"request\":" + std::to_string(plan_index) + "}";
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

inline void answer_well(Peer& peer) {
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
inline void expect_sound(const LevelRecords& records) {
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

}  // namespace loadline::scripted
