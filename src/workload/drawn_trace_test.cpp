#include "workload/drawn_trace.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "workload/draw.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

/// Two sessions of two turns, 40-token prompts of one full block and a tail each, and a loner.
Trace log_of_two_sessions() {
  Trace log;
  log.source = "gateway.jsonl";
  log.block_size = 16;
  log.partial_tail = true;
  log.sharing = SharingOrigin::hashed;
  log.has_times = true;
  log.sessions = {"a", "b"};
  const auto add = [&](SessionIndex session, std::uint32_t turn, std::vector<std::uint64_t> ids) {
    TraceRow row;
    row.arrival = std::chrono::seconds(log.rows.size());
    row.prompt = Tokens(static_cast<std::int64_t>(16 * ids.size() - 3));
    row.completion = Tokens(5);
    row.session = session;
    row.turn = turn;
    row.first_block = log.blocks.size();
    row.block_count = static_cast<std::uint32_t>(ids.size());
    log.blocks.insert(log.blocks.end(), ids.begin(), ids.end());
    log.rows.push_back(row);
    log.details.push_back({turn > 0 ? std::optional<Nanos>(2s) : std::nullopt});
  };
  add(0, 0, {7, 8});
  add(1, 0, {7, 9});
  add(0, 1, {7, 8, 10});
  add(1, 1, {7, 9, 11});
  return log;
}

TEST(DrawnTrace, SharesWhatTheDrawnPromptsShare) {
  const Trace log = log_of_two_sessions();
  DrawSettings settings;
  settings.count = 4;
  settings.sampler = Sampler::replay;
  const Trace drawn = drawn_trace(draw_workload(log, settings), log);
  ASSERT_EQ(drawn.rows.size(), 4u);
  EXPECT_EQ(drawn.blocks, (std::vector<std::uint64_t>{0, 1, 0, 2, 0, 1, 3, 0, 2, 4}));
  EXPECT_EQ(drawn.sessions, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(drawn.rows[2].arrival, 2s);
  EXPECT_EQ(drawn.details[2].delay, Nanos(2s));
  EXPECT_EQ(drawn.rows[3].turn, 1u);
}

TEST(DrawnTrace, ASecondPassIsAnotherTraffic) {
  const Trace log = log_of_two_sessions();
  DrawSettings settings;
  settings.count = 8;
  settings.sampler = Sampler::sessions;
  const Trace drawn = drawn_trace(draw_workload(log, settings), log);
  ASSERT_EQ(drawn.rows.size(), 8u);
  EXPECT_EQ(drawn.sessions.size(), 4u);
  EXPECT_TRUE(drawn.sessions[2].ends_with("#2"));
  EXPECT_EQ(*std::ranges::max_element(drawn.blocks), 9u) << "five ids a pass, none in common";
}

TEST(DrawnTrace, CutPromptsKeepTheirCountOfIds) {
  const Trace log = log_of_two_sessions();
  DrawSettings settings;
  settings.count = 4;
  settings.sampler = Sampler::replay;
  settings.max_prompt_tokens = Tokens(20);
  const Trace drawn = drawn_trace(draw_workload(log, settings), log);
  ASSERT_EQ(drawn.rows.size(), 4u);
  for (const TraceRow& row : drawn.rows) {
    EXPECT_EQ(row.prompt, Tokens(20));
    EXPECT_EQ(row.block_count, 2u);
  }
}

}  // namespace
}  // namespace loadline
