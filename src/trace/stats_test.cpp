#include "trace/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/random.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

struct SmallRow {
  double arrival_s;
  std::int64_t prompt, completion;
};

Trace trace_of(const std::vector<SmallRow>& rows) {
  Trace trace;
  trace.has_times = true;
  trace.time_resolution_ms = 1;
  for (const SmallRow& row : rows) {
    TraceRow& kept = trace.rows.emplace_back();
    kept.arrival = nanos(Seconds(row.arrival_s));
    kept.prompt = Tokens(row.prompt);
    kept.completion = Tokens(row.completion);
  }
  trace.read = rows.size();
  return trace;
}

TEST(Stats, QuantilesAgreeWithSorting) {
  Random random(11);
  std::vector<SmallRow> rows;
  std::vector<std::int64_t> prompts;
  for (int i = 0; i < 3457; ++i) {
    prompts.push_back(1 + static_cast<std::int64_t>(random.below(900)));
    rows.push_back({i * 0.1, prompts.back(), 1});
  }
  const LengthSummary found = describe(trace_of(rows)).prompt_tokens, expected = summarise_lengths(prompts);
  EXPECT_EQ(found.n, expected.n);
  for (const auto field : {&LengthSummary::min, &LengthSummary::p1, &LengthSummary::p5, &LengthSummary::p10,
                           &LengthSummary::p25, &LengthSummary::p50, &LengthSummary::p75, &LengthSummary::p90,
                           &LengthSummary::p95, &LengthSummary::p99, &LengthSummary::p99_9, &LengthSummary::max}) {
    EXPECT_EQ(found.*field, expected.*field);
  }
  EXPECT_DOUBLE_EQ(found.mean, expected.mean);
}

TEST(Stats, CorrelationsByHand) {
  // Ranks of the prompts 1, 2.5, 2.5, 4; of the completions 2, 1, 3.5, 3.5.
  const TraceStats stats = describe(trace_of({{0, 1, 5}, {1, 2, 3}, {2, 2, 9}, {3, 10, 9}}));
  EXPECT_NEAR(*stats.spearman, 2.25 / 4.5, 1e-12);
  EXPECT_NEAR(*stats.pearson, 21.5 / std::sqrt(52.75 * 27), 1e-12);
  const TraceStats constant = describe(trace_of({{0, 4, 5}, {1, 4, 3}}));
  EXPECT_FALSE(constant.pearson);
  EXPECT_FALSE(constant.spearman);
}

TEST(Stats, CompletionByPromptBins) {
  std::vector<SmallRow> rows;
  for (int i = 1; i <= 100; ++i) rows.push_back({0, i, 1000 + i});
  const auto bins = describe(trace_of(rows)).completion_by_prompt;
  ASSERT_EQ(bins.size(), 8u);
  EXPECT_EQ(bins[0].from, 0);
  EXPECT_EQ(bins[0].to, 10);
  EXPECT_EQ(bins[0].n, 10u);
  EXPECT_EQ(bins[0].p50, 1005);
  EXPECT_EQ(bins[0].p90, 1009);
  EXPECT_EQ(bins[7].from, 99);
  EXPECT_EQ(bins[7].n, 1u);
  std::vector<SmallRow> ties(50, SmallRow{0, 7, 3});
  ties.push_back({0, 9, 4});
  const auto few = describe(trace_of(ties)).completion_by_prompt;
  ASSERT_EQ(few.size(), 2u);
  EXPECT_EQ(few[0].from, 6);
  EXPECT_EQ(few[0].to, 7);
  EXPECT_EQ(few[0].n, 50u);
  EXPECT_EQ(few[1].to, 9);
}

TEST(Stats, ArrivalsByHand) {
  // Gaps 0, 0.5, 2, 1: mean 0.875, deviations -0.875, -0.375, 1.125, 0.125.
  const ArrivalStats arrivals =
      *describe(trace_of({{0, 1, 1}, {0, 1, 1}, {0.5, 1, 1}, {2.5, 1, 1}, {3.5, 1, 1}})).arrivals;
  EXPECT_DOUBLE_EQ(arrivals.span_s, 3.5);
  EXPECT_DOUBLE_EQ(*arrivals.rate_per_s, 4 / 3.5);
  EXPECT_NEAR(*arrivals.gap_cv, std::sqrt((0.765625 + 0.140625 + 1.265625 + 0.015625) / 4) / 0.875, 1e-12);
  // Complete seconds: 3, 0, 1; the row at 3.5 lies in an unfinished one. Mean 4/3, variance 14/9.
  EXPECT_NEAR(*arrivals.dispersion_1s, (14.0 / 9) / (4.0 / 3), 1e-12);
  EXPECT_FALSE(arrivals.dispersion_60s);
  EXPECT_EQ(arrivals.busiest_1s, 3u);
  EXPECT_EQ(arrivals.busiest_60s, 5u);
  EXPECT_FALSE(arrivals.coarse);
}

TEST(Stats, ABinThatEndsWithTheSpanIsComplete) {
  // Seconds 0 and 1 are complete: 2 and 1 requests; the row at 2 opens the third.
  const ArrivalStats arrivals = *describe(trace_of({{0, 1, 1}, {0.9, 1, 1}, {1, 1, 1}, {2, 1, 1}})).arrivals;
  EXPECT_NEAR(*arrivals.dispersion_1s, 0.25 / 1.5, 1e-12);
}

TEST(Stats, AbsentIsAState) {
  Trace one = trace_of({{0, 5, 6}});
  const TraceStats stats = describe(one);
  EXPECT_FALSE(stats.arrivals->rate_per_s);
  EXPECT_FALSE(stats.arrivals->gap_cv);
  EXPECT_FALSE(stats.sharing);
  EXPECT_FALSE(stats.sessions);
  one.has_times = false;
  EXPECT_FALSE(describe(one).arrivals);
  EXPECT_FALSE(describe(one).time_resolution_ms);
  EXPECT_FALSE(busiest_minute_requests_per_s(describe(one)));
  EXPECT_FALSE(busiest_minute_requests_per_s(describe(trace_of({{0, 1, 1}, {59, 1, 1}}))));
  EXPECT_DOUBLE_EQ(*busiest_minute_requests_per_s(describe(trace_of({{0, 1, 1}, {30, 1, 1}, {60, 1, 1}}))), 2.0 / 60);
  Trace coarse = trace_of({{0, 1, 1}, {3, 1, 1}});
  coarse.time_resolution_ms = 3000;
  EXPECT_TRUE(describe(coarse).arrivals->coarse);
}

TEST(Stats, Sessions) {
  Trace trace = trace_of({{0, 5, 6}, {1, 5, 6}, {2, 5, 6}, {3, 5, 6}, {4, 5, 6}});
  trace.sessions = {"a", "b", "never used"};
  for (const std::size_t row : {0, 1, 3}) trace.rows[row].session = 0;
  trace.rows[2].session = 1;
  trace.details.resize(5);
  trace.details[1].delay = 250ms;
  trace.details[3].delay = 4s;
  const SessionStats sessions = *describe(trace).sessions;
  EXPECT_TRUE(sessions.declared);
  EXPECT_EQ(sessions.count, 2u);
  EXPECT_EQ(sessions.turns.max, 3);
  EXPECT_EQ(sessions.turns.p50, 1);
  EXPECT_DOUBLE_EQ(sessions.turns.mean, 2);
  EXPECT_DOUBLE_EQ(sessions.single_turn_share, 0.5);
  EXPECT_DOUBLE_EQ(*sessions.think_time_p50_s, 0.25);
  EXPECT_DOUBLE_EQ(*sessions.think_time_p90_s, 4);
  trace.details.clear();
  EXPECT_FALSE(describe(trace).sessions->think_time_p50_s);
}

TEST(RealStats, Azure2023Conversation) {
  const char* const folder = std::getenv("LOADLINE_SHARED");
  if (!folder) GTEST_SKIP() << "LOADLINE_SHARED is not set: azure_llm_2023_conv.csv is not at hand";
  const TraceStats stats = describe(read_trace({std::string(folder) + "/traces/azure_llm_2023_conv.csv"}));
  EXPECT_EQ(stats.prompt_tokens.p50, 1020);
  EXPECT_EQ(stats.prompt_tokens.p90, 2735);
  EXPECT_EQ(stats.prompt_tokens.p99, 4142);
  EXPECT_EQ(stats.prompt_tokens.p99_9, 6212);
  EXPECT_EQ(stats.completion_tokens.p50, 129);
  EXPECT_EQ(stats.completion_tokens.p90, 424);
  EXPECT_EQ(stats.completion_tokens.p99, 601);
  EXPECT_NEAR(stats.prompt_tokens.mean, 1154.6974078281523, 1e-9);
  EXPECT_NEAR(*stats.pearson, -0.11235295061404167, 1e-12);
  EXPECT_NEAR(*stats.spearman, 0.07275089359754287, 1e-12);
  ASSERT_EQ(stats.completion_by_prompt.size(), 8u);
  EXPECT_EQ(stats.completion_by_prompt[0].from, 1);
  EXPECT_EQ(stats.completion_by_prompt[0].to, 207);
  EXPECT_EQ(stats.completion_by_prompt[0].n, 1940u);
  EXPECT_EQ(stats.completion_by_prompt[0].p50, 161);
  EXPECT_EQ(stats.completion_by_prompt[2].n, 4822u);
  EXPECT_EQ(stats.completion_by_prompt[2].p90, 416);
  EXPECT_FALSE(stats.arrivals->coarse);
}

TEST(RealStats, MooncakeConversationIsCoarse) {
  const char* const folder = std::getenv("LOADLINE_SHARED");
  if (!folder) GTEST_SKIP() << "LOADLINE_SHARED is not set: mooncake_conversation.jsonl is not at hand";
  const TraceStats stats = describe(read_trace({std::string(folder) + "/traces/mooncake_conversation.jsonl"}));
  EXPECT_TRUE(stats.arrivals->coarse);
  EXPECT_NEAR(*stats.pearson, 0.07187815060930457, 1e-12);
  EXPECT_NEAR(*stats.spearman, 0.0716924890358795, 1e-12);
  EXPECT_EQ(stats.prompt_tokens.p99, 85401);
}

}  // namespace
}  // namespace loadline
