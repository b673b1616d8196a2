#include "engine/metronome.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "engine/blocking_client_test.h"

namespace loadline {
namespace {

using Milliseconds = std::chrono::milliseconds;

std::string asked(std::uint32_t request, int tokens) {
  return fmt::format(R"({{"prompt":[{}],"max_tokens":{},"stream":true,"stream_options":{{"include_usage":true}}}})",
                     request, tokens);
}

/// Text events of an answer, usage and [DONE] left out.
std::size_t tokens_in(const Answer& answer) {
  const std::vector<std::string> events = events_of(answer.body);
  return static_cast<std::size_t>(std::ranges::count_if(
      events, [](const std::string& event) { return event.find(R"("text":")") != std::string::npos; }));
}

TEST(Metronome, writes_when_it_is_due_and_keeps_when_it_did) {
  SystemTime time;
  Metronome metronome({.period = Milliseconds(3), .tokens_per_write = 2}, time);
  metronome.start();
  const Answer answer = BlockingClient(metronome.port()).post("/v1/completions", asked(77, 7));
  metronome.stop();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(tokens_in(answer), 7u);
  EXPECT_EQ(events_of(answer.body).back(), "[DONE]");

  ASSERT_EQ(metronome.stamps().size(), 1u);
  const StreamStamps& stamps = metronome.stamps().front();
  EXPECT_EQ(stamps.request, 77u);
  EXPECT_EQ(stamps.tokens, 7u);
  EXPECT_EQ(stamps.tokens_per_write, 2u);
  EXPECT_FALSE(stamps.backlogged);
  ASSERT_EQ(stamps.writes.size(), 4u) << "2 + 2 + 2 + 1 tokens";
  for (std::size_t i = 0; i < stamps.writes.size(); ++i) {
    EXPECT_EQ(stamps.writes[i].due, stamps.writes[0].due + Milliseconds(3) * static_cast<int>(i));
    EXPECT_GE(stamps.writes[i].begin, stamps.writes[i].due);
    EXPECT_GE(stamps.writes[i].end, stamps.writes[i].begin);
  }
  EXPECT_GT(metronome.cpu_seconds(), 0);
}

/// Where in the period the writes of four streams are due, in ms.
std::multiset<double> phases_ms(Phases phases) {
  SystemTime time;
  constexpr Nanos period = Milliseconds(8);
  Metronome metronome({.period = period, .phases = phases, .streams = 4}, time);
  metronome.start();
  std::vector<std::unique_ptr<BlockingClient>> clients;
  for (std::uint32_t i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<BlockingClient>(metronome.port()));
    clients.back()->send(BlockingClient::post_bytes("/v1/completions", asked(i, 2)));
  }
  for (const auto& client : clients) EXPECT_EQ(tokens_in(client->receive()), 2u);
  metronome.stop();
  RunTime earliest = RunTime::max();
  for (const StreamStamps& stamps : metronome.stamps()) earliest = std::min(earliest, stamps.writes.front().due);
  std::multiset<double> found;
  for (const StreamStamps& stamps : metronome.stamps())
    found.insert(milliseconds((stamps.writes.front().due - earliest) % period));
  return found;
}

TEST(Metronome, spreads_its_streams_over_the_period_or_fires_them_together) {
  EXPECT_EQ(phases_ms(Phases::spread), (std::multiset<double>{0, 2, 4, 6}));
  EXPECT_EQ(phases_ms(Phases::burst), (std::multiset<double>{0, 0, 0, 0}));
}

TEST(Metronome, answers_one_request_after_another_on_a_connection) {
  SystemTime time;
  Metronome metronome({}, time);
  metronome.start();
  BlockingClient client(metronome.port());
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(tokens_in(client.post("/v1/completions", asked(i, 1))), 1u);
  EXPECT_EQ(client.post("/v1/completions", R"({"prompt":[1,2],"stream":true})").status, 400);
  EXPECT_EQ(client.post("/v1/chat/completions", "{}").status, 404);
  EXPECT_EQ(tokens_in(client.post("/v1/completions", asked(9, 3))), 3u);
  metronome.stop();
  std::vector<std::uint32_t> requests;
  for (const StreamStamps& stamps : metronome.stamps()) requests.push_back(stamps.request);
  EXPECT_EQ(requests, (std::vector<std::uint32_t>{0, 1, 2, 9}));
}

TEST(Metronome, goes_on_when_a_client_leaves) {
  SystemTime time;
  Metronome metronome({.period = Milliseconds(1)}, time);
  metronome.start();
  BlockingClient leaving(metronome.port());
  leaving.send(BlockingClient::post_bytes("/v1/completions", asked(1, 30'000)));
  leaving.close();
  EXPECT_EQ(tokens_in(BlockingClient(metronome.port()).post("/v1/completions", asked(2, 20))), 20u);
  metronome.stop();
  EXPECT_EQ(metronome.stamps().back().writes.size(), 20u);
}

}  // namespace
}  // namespace loadline
