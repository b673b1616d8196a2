#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/prompt.h"
#include "core/random.h"
#include "workload/draw.h"
#include "workload/hit_rate_test.h"
#include "workload/small_logs_test.h"

namespace loadline {
namespace {

std::vector<std::uint32_t> words_of(const Workload& workload, const Request& request) {
  std::vector<std::uint32_t> tokens;
  append_prompt_tokens(request.prompt, workload.blocks, workload.block_size, 7, Vocabulary{}, tokens);
  return tokens;
}

TEST(DrawSessions, IsTheDefaultWhereThereIsSharingToKeep) {
  EXPECT_EQ(draw_workload(hashed_trace(), settings_of(1, 3)).sampler, Sampler::sessions);
  EXPECT_EQ(draw_workload(session_trace(3, 2), settings_of(1, 3)).sampler, Sampler::sessions);
  EXPECT_EQ(draw_workload(plain_trace(3), settings_of(1, 3)).sampler, Sampler::rows);
}

TEST(DrawSessions, TurnsInOrderEachSessionWholeAndNewInTheNextPass) {
  const Workload workload = draw_workload(session_trace(30, 4), settings_of(2, 240));
  std::map<SessionIndex, std::uint32_t> turns;
  std::map<SessionIndex, std::uint64_t> namespaces;
  for (const Request& request : workload.requests) {
    EXPECT_EQ(request.turn, turns[request.session]++);
    const auto [place, is_new] = namespaces.try_emplace(request.session, request.prompt.sharing_namespace);
    EXPECT_EQ(place->second, request.prompt.sharing_namespace);
    EXPECT_EQ(request.session % 30 + 1, request.completion.value());
  }
  EXPECT_EQ(turns.size(), 60U);
  for (const auto& [session, count] : turns) EXPECT_EQ(count, 4U);
  EXPECT_EQ(workload.passes, 2U);
}

TEST(DrawSessions, TheFirstDoNotDependOnHowManyAreDrawn) {
  const Trace trace = session_trace(30, 4);
  const Workload many = draw_workload(trace, settings_of(2, 400));
  for (const std::size_t count : {1U, 50U, 119U, 121U}) {
    const Workload few = draw_workload(trace, settings_of(2, count));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(few.requests[i].row, many.requests[i].row);
      EXPECT_EQ(few.requests[i].arrival, many.requests[i].arrival);
      EXPECT_EQ(few.requests[i].session, many.requests[i].session);
      EXPECT_EQ(words_of(few, few.requests[i]), words_of(many, many.requests[i]));
    }
  }
}

TEST(DrawSessions, ATurnRepeatsTheTurnBefore) {
  // 100 of 200, 200 of 300: 300 hits of 600 tokens, in any sample of whole sessions.
  const Workload workload = draw_workload(session_trace(5, 3), settings_of(2, 30));
  EXPECT_DOUBLE_EQ(hit_rate_of(workload), 0.5);
  std::map<SessionIndex, std::vector<std::uint32_t>> texts;
  std::set<std::vector<std::uint32_t>> beginnings;
  for (const Request& request : workload.requests) {
    const auto words = words_of(workload, request);
    ASSERT_EQ(static_cast<std::int64_t>(words.size()), request.prompt.length.value());
    std::vector<std::uint32_t>& before = texts[request.session];
    EXPECT_TRUE(std::equal(before.begin(), before.end(), words.begin()));
    if (request.turn == 0) {
      EXPECT_TRUE(beginnings.insert({words.begin(), words.begin() + 20}).second);
    }
    before = words;
  }
}

TEST(DrawSessions, AShorterTurnBeginsAnew) {
  Trace trace = session_trace(1, 3);
  trace.rows[1].prompt = Tokens(40);
  const Workload workload = draw_workload(trace, settings_of(0, 3));
  const auto first = words_of(workload, workload.requests[0]);
  const auto second = words_of(workload, workload.requests[1]);
  const auto third = words_of(workload, workload.requests[2]);
  EXPECT_NE(first[0], second[0]);
  EXPECT_TRUE(std::equal(second.begin(), second.end(), third.begin()));
  EXPECT_DOUBLE_EQ(hit_rate_of(workload), 40.0 / 440);
}

TEST(LogFacts, RowsArrivalsAndPausesOfTheLog) {
  Trace trace = session_trace(10, 3);
  trace.rows[7].arrival_known = false;
  trace.details.resize(30);
  trace.details[12].delay = std::chrono::milliseconds(1500);
  for (const Sampler sampler : {Sampler::replay, Sampler::sessions}) {
    DrawSettings settings = settings_of(3, 90);
    settings.sampler = sampler;
    Nanos latest{};
    bool first = true;
    for (const Request& request : draw_workload(trace, settings).requests) {
      EXPECT_EQ(trace.rows[request.row].completion, request.completion);
      EXPECT_EQ(request.think, trace.details[request.row].delay);
      EXPECT_EQ(request.arrival.has_value(), request.row != 7);
      if (first && request.arrival) {
        EXPECT_EQ(request.arrival, Nanos{});
      }
      first = false;
      if (!request.arrival) continue;
      EXPECT_GE(*request.arrival, latest);
      latest = *request.arrival;
    }
  }
  for (const Request& request : draw_workload(plain_trace(3), settings_of(3, 9)).requests) {
    EXPECT_EQ(request.prompt.length.value(), 10 * (static_cast<std::int64_t>(request.row) + 1));
    EXPECT_FALSE(request.arrival);
    EXPECT_FALSE(request.think);
  }
}

TEST(DrawReplay, ArrivalsGoOnAfterTheEndOfTheLog) {
  // 6 rows a second apart: the next pass begins one mean gap after the last.
  Trace trace = session_trace(3, 2);
  const Workload workload = replay_from_first(trace, settings_of(1, 20));
  for (std::int64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(workload.requests[static_cast<std::size_t>(i)].arrival, std::chrono::seconds(i));
  }
}

TEST(DrawReplay, AWindowIsNeverCutShort) {
  std::set<std::uint64_t> starts;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Workload workload = draw_workload(plain_trace(50), replay_of(seed, 45));
    EXPECT_EQ(workload.passes, 1U);
    starts.insert(workload.requests[0].row);
    DrawSettings longer = replay_of(seed, 500);
    longer.window = 45;
    EXPECT_EQ(draw_workload(plain_trace(50), longer).requests[0].row, workload.requests[0].row);
  }
  EXPECT_EQ(starts.size(), 6U);
}

TEST(DrawReplay, TheHistoryIsThePartBefore) {
  Trace trace;
  trace.block_size = 4;
  for (std::uint64_t i = 0; i < 40; ++i) add_hashed_row(trace, 8, {i / 2, 100 + i});
  DrawSettings settings = replay_of(0, 10);
  std::size_t fullest = 0;
  for (settings.seed = 0; settings.seed < 30; ++settings.seed) {
    settings.history = 0;
    const Workload cold = draw_workload(trace, settings);
    settings.history = 12;
    const Workload workload = draw_workload(trace, settings);
    const std::uint64_t start = workload.requests[0].row;
    EXPECT_EQ(cold.requests[0].row, start) << "the history does not move the window";
    ASSERT_EQ(workload.history.size(), std::min<std::size_t>(12, start));
    fullest = std::max(fullest, workload.history.size());
    for (std::size_t i = 0; i < workload.history.size(); ++i) {
      const Request& request = workload.history[i];
      EXPECT_EQ(request.row, start - workload.history.size() + i);
      EXPECT_EQ(request.prompt.sharing_namespace, workload.requests[0].prompt.sharing_namespace);
    }
    if (start % 2 == 1) {  // its first row's first block was in the row before
      const auto last = words_of(workload, workload.history.back());
      const auto first = words_of(workload, workload.requests[0]);
      EXPECT_TRUE(std::equal(last.begin(), last.begin() + 4, first.begin()));
      EXPECT_NE(last, first);
    }
  }
  EXPECT_EQ(fullest, 12U);
}

TEST(OverLimit, LongPromptsAreLeftOutAndCounted) {
  for (const Sampler sampler : {Sampler::rows, Sampler::replay, Sampler::sessions}) {
    DrawSettings settings = settings_of(1, 100);
    settings.sampler = sampler;
    settings.max_prompt_tokens = Tokens(60);
    settings.drop_over_limit = true;
    const Workload workload = draw_workload(plain_trace(10), settings);
    EXPECT_EQ(workload.requests.size(), 100U);
    EXPECT_EQ(workload.cut_prompts, 0U);
    for (const Request& request : workload.requests) EXPECT_LE(request.prompt.length, Tokens(60));
    EXPECT_EQ(workload.dropped_prompts, workload.dropped.size());
    for (const DroppedPrompt& dropped : workload.dropped) EXPECT_GE(dropped.row, 6U);
    // Four of ten are left out: 66.7 on the way to 100, in a random order with a deviation of 10.5.
    EXPECT_NEAR(static_cast<double>(workload.dropped_prompts), 66.7, sampler == Sampler::rows ? 42 : 5);
  }
}

TEST(OverLimit, ASessionThatLosesATurnLosesTheRest) {
  Trace trace = session_trace(2, 4);
  trace.rows[2].prompt = Tokens(900);  // turn 1 of the first session
  DrawSettings settings = settings_of(1, 5);
  settings.max_prompt_tokens = Tokens(500);
  settings.drop_over_limit = true;
  const Workload workload = replay_from_first(trace, settings);
  std::vector<std::uint64_t> rows;
  for (const Request& request : workload.requests) rows.push_back(request.row);
  EXPECT_EQ(rows, (std::vector<std::uint64_t>{0, 1, 3, 5, 7}));
  EXPECT_EQ(workload.dropped_prompts, 3U);
  EXPECT_EQ(workload.dropped[0].place, 2U);
  // The next pass has the session again.
  settings.count = 6;
  EXPECT_EQ(replay_from_first(trace, settings).requests[5].row, 0U);
}

TEST(OverLimit, NothingLeftIsAnError) {
  DrawSettings settings = settings_of(1, 5);
  settings.drop_over_limit = true;
  settings.max_prompt_tokens = Tokens(9);
  const auto error = [&](const Trace& trace, Sampler sampler) -> std::string {
    settings.sampler = sampler;
    try {
      draw_workload(trace, settings);
    } catch (const Error& thrown) {
      return thrown.what();
    }
    return "";
  };
  for (const Sampler sampler : {Sampler::rows, Sampler::replay, Sampler::sessions}) {
    EXPECT_NE(error(plain_trace(10), sampler).find("plain.csv"), std::string::npos);
  }
  Trace shrinking = session_trace(1, 2);
  shrinking.rows[1].prompt = Tokens(5);
  EXPECT_NE(error(shrinking, Sampler::sessions).find("--over-limit clip"), std::string::npos);
  EXPECT_EQ(error(shrinking, Sampler::rows), "") << "rows on their own: the short one is sent";
}

TEST(UnknownLengths, StayUnknown) {
  Trace trace = plain_trace(4);
  for (TraceRow& row : trace.rows) row.completion = Tokens(0);
  trace.rows[1].prompt = Tokens(0);
  DrawSettings settings = replay_of(0, 4);
  settings.scale_lengths = 3;
  settings.max_prompt_tokens = settings.max_completion_tokens = Tokens(100);
  const Workload workload = draw_workload(trace, settings);
  for (const Request& request : workload.requests) EXPECT_EQ(request.completion, Tokens(0));
  EXPECT_EQ(workload.requests[1].prompt.length, Tokens(0));
  EXPECT_EQ(workload.requests[3].prompt.length, Tokens(100));
  EXPECT_EQ(workload.cut_completions, 0U);
}

}  // namespace
}  // namespace loadline
