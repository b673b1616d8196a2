#include "workload/sample_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/random.h"
#include "workload/small_logs_test.h"

namespace loadline {
namespace {

/// By the definition, at every length that occurs.
double ks_by_definition(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  const auto share = [](const std::vector<std::int64_t>& of, std::int64_t x) {
    return static_cast<double>(std::count_if(of.begin(), of.end(), [x](std::int64_t y) { return y <= x; })) /
           static_cast<double>(of.size());
  };
  double largest = 0;
  for (const auto& lengths : {a, b}) {
    for (const std::int64_t x : lengths) largest = std::max(largest, std::abs(share(a, x) - share(b, x)));
  }
  return largest;
}

TEST(KsDistance, KnownValues) {
  EXPECT_DOUBLE_EQ(ks_distance({1, 2, 3}, {3, 1, 2}), 0);
  EXPECT_DOUBLE_EQ(ks_distance({1, 2, 3}, {4, 5}), 1);
  EXPECT_DOUBLE_EQ(ks_distance({5, 5, 5, 5}, {5}), 0) << "ties count together";
  EXPECT_DOUBLE_EQ(ks_distance({1, 1, 2}, {1, 2, 2, 2}), 2.0 / 3 - 0.25);
}

TEST(KsDistance, EqualsTheDefinitionOnRandomSamples) {
  Random random(8);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> a(1 + random.below(60)), b(1 + random.below(60));
    const std::uint64_t values = 1 + random.below(40);
    for (std::int64_t& x : a) x = static_cast<std::int64_t>(random.below(values));
    for (std::int64_t& x : b) x = static_cast<std::int64_t>(random.below(values + 3));
    EXPECT_NEAR(ks_distance(a, b), ks_by_definition(a, b), 1e-12);
  }
}

TEST(SampleDistance, TheWholeLogIsNoDistanceAway) {
  const Trace trace = hashed_trace();
  const Workload workload = replay_from_first(trace, settings_of(0, 3));
  const SampleDistance distance = sample_distance(trace, workload, 3);
  EXPECT_EQ(distance.prompt_ks, 0);
  EXPECT_EQ(distance.completion_ks, 0);
  EXPECT_EQ(distance.log_prompts, 3U);
  EXPECT_DOUBLE_EQ(*distance.log_hit_rate, 18.0 / 32);
  EXPECT_DOUBLE_EQ(*distance.sample_hit_rate, 18.0 / 32);
  EXPECT_FALSE(distance.uncut_hit_rate);
  EXPECT_EQ(distance.sharing, SharingOrigin::hashed);
  EXPECT_TRUE(reasons_for_doubt(distance).empty());
  EXPECT_DOUBLE_EQ(*sample_distance(trace, workload, 2).sample_hit_rate, 8.0 / 22);
  EXPECT_DOUBLE_EQ(*sample_distance(trace, workload, 2).prompt_ks, 2.0 / 3 - 0.5);
}

TEST(SampleDistance, BothRatesOfCutPrompts) {
  // Cut to 6: 6 + 6 + 6 with hits 0, 6, 6.
  DrawSettings settings = settings_of(0, 3);
  settings.max_prompt_tokens = Tokens(6);
  const Workload cut = replay_from_first(hashed_trace(), settings);
  const SampleDistance distance = sample_distance(hashed_trace(), cut, 3);
  EXPECT_DOUBLE_EQ(*distance.sample_hit_rate, 12.0 / 18);
  EXPECT_DOUBLE_EQ(*distance.uncut_hit_rate, 18.0 / 32);
  EXPECT_DOUBLE_EQ(*distance.prompt_ks, 1);
}

TEST(SampleDistance, BothRatesOfDroppedPrompts) {
  // B, of 12 tokens, is left out: A and C remain, with 0 and 10 of 20.
  DrawSettings settings = settings_of(0, 2);
  settings.max_prompt_tokens = Tokens(11);
  settings.drop_over_limit = true;
  const Workload kept = replay_from_first(hashed_trace(), settings);
  const SampleDistance distance = sample_distance(hashed_trace(), kept, 2);
  EXPECT_DOUBLE_EQ(*distance.sample_hit_rate, 0.5);
  EXPECT_DOUBLE_EQ(*distance.uncut_hit_rate, 18.0 / 32);
}

TEST(SampleDistance, AWindowSharesWithItsHistory) {
  const Trace trace = hashed_trace();
  DrawSettings settings = replay_of(0, 1);
  settings.history = 2;
  while (draw_workload(trace, settings).requests[0].row != 2) ++settings.seed;
  const SampleDistance warm = sample_distance(trace, draw_workload(trace, settings), 1);
  EXPECT_DOUBLE_EQ(*warm.sample_hit_rate, 1) << "C is A again";
  settings.history = 0;
  EXPECT_DOUBLE_EQ(*sample_distance(trace, draw_workload(trace, settings), 1).sample_hit_rate, 0);
}

TEST(SampleDistance, SessionsAndCachedCounts) {
  const Trace sessions = session_trace(20, 3);
  const SampleDistance whole = sample_distance(sessions, draw_workload(sessions, settings_of(3, 60)), 60);
  EXPECT_DOUBLE_EQ(*whole.log_hit_rate, 0.5);
  EXPECT_DOUBLE_EQ(*whole.sample_hit_rate, 0.5);
  DrawSettings by_rows = settings_of(3, 60);
  by_rows.sampler = Sampler::rows;
  EXPECT_DOUBLE_EQ(*sample_distance(sessions, draw_workload(sessions, by_rows), 60).sample_hit_rate, 0);

  // One session of 100, 200, 300, its last turn left out: 100 of 300 sent, 300 of 600 drawn. Rows repeat nothing.
  const Trace one = session_trace(1, 3);
  DrawSettings limited = replay_of(0, 3);
  limited.max_prompt_tokens = Tokens(200);
  limited.drop_over_limit = true;
  const Workload kept = replay_from_first(one, limited);
  EXPECT_DOUBLE_EQ(*sample_distance(one, kept, 2).sample_hit_rate, 100.0 / 300);
  EXPECT_DOUBLE_EQ(*sample_distance(one, kept, 3).uncut_hit_rate, 300.0 / 700) << "and the next pass's first turn";
  limited.sampler = Sampler::rows;
  limited.drop_over_limit = false;
  limited.max_prompt_tokens = Tokens(50);
  EXPECT_DOUBLE_EQ(*sample_distance(one, draw_workload(one, limited), 3).uncut_hit_rate, 0);

  // A log that counts cached tokens but does not say whose: the prompts sent share nothing, and that is said.
  Trace counted = plain_trace(20);
  counted.sharing = SharingOrigin::cached_counts;
  for (TraceRow& row : counted.rows) row.cached = row.prompt / 2;
  const SampleDistance distance = sample_distance(counted, draw_workload(counted, settings_of(3, 60)), 60);
  EXPECT_DOUBLE_EQ(*distance.log_hit_rate, 0.5);
  EXPECT_DOUBLE_EQ(*distance.sample_hit_rate, 0);
  const auto reasons = reasons_for_doubt(distance);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons[0].find("had cached 50.0%"), std::string::npos) << reasons[0];
}

TEST(SampleDistance, WhatTheLogDoesNotTellIsAbsent) {
  Trace trace = plain_trace(10);
  for (TraceRow& row : trace.rows) row.completion = Tokens(0);
  trace.rows[3].prompt = Tokens(0);
  const SampleDistance distance = sample_distance(trace, replay_from_first(trace, settings_of(1, 10)), 10);
  EXPECT_EQ(distance.prompt_ks, 0);
  EXPECT_EQ(distance.log_prompts, 9U);
  EXPECT_EQ(distance.sample_prompts, 9U);
  EXPECT_FALSE(distance.completion_ks);
  EXPECT_FALSE(distance.log_hit_rate);
  EXPECT_FALSE(distance.sample_hit_rate);
  EXPECT_TRUE(reasons_for_doubt(distance).empty());
}

TEST(ReasonsForDoubt, AtTheStatedTolerances) {
  SampleDistance distance;
  distance.log_prompts = distance.log_completions = 12'000;
  distance.sample_prompts = distance.sample_completions = 1'000;
  const double tolerated = 1.63 * std::sqrt(13'000.0 / 12'000'000) + 0.02;
  distance.prompt_ks = tolerated - 1e-6;
  distance.completion_ks = tolerated - 1e-6;
  distance.log_hit_rate = 0.374;
  distance.sample_hit_rate = 0.3341;
  EXPECT_TRUE(reasons_for_doubt(distance).empty());
  distance.prompt_ks = tolerated + 1e-6;
  ASSERT_EQ(reasons_for_doubt(distance).size(), 1U);
  EXPECT_NE(reasons_for_doubt(distance)[0].find("prompt lengths of 1000"), std::string::npos);
  EXPECT_NE(reasons_for_doubt(distance)[0].find("0.074"), std::string::npos) << reasons_for_doubt(distance)[0];
  distance.sample_hit_rate = 0.3339;
  ASSERT_EQ(reasons_for_doubt(distance).size(), 2U);
  EXPECT_NE(reasons_for_doubt(distance)[1].find("37.4%"), std::string::npos);
  distance.sample_hit_rate = 0.4141;
  EXPECT_EQ(reasons_for_doubt(distance).size(), 2U) << "too much sharing too";
}

}  // namespace
}  // namespace loadline
