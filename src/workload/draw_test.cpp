#include "workload/draw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "core/prompt.h"
#include "core/random.h"
#include "workload/hit_rate_test.h"
#include "workload/sharing.h"
#include "workload/small_logs_test.h"

namespace loadline {
namespace {

auto fields(const Request& r) {
  return std::tuple(r.prompt.length, r.prompt.first_block, r.prompt.block_count, r.prompt.sharing_namespace,
                    r.prompt.own, r.completion, r.session, r.turn);
}

std::vector<std::uint32_t> tokens_of(const Workload& workload, std::size_t i) {
  std::vector<std::uint32_t> tokens;
  append_prompt_tokens(workload.requests[i].prompt, workload.blocks, workload.block_size, 99, Vocabulary{}, tokens);
  return tokens;
}

std::size_t common_prefix(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

TEST(DrawRows, PromptAndCompletionStayTogether) {
  const Workload workload = draw_workload(plain_trace(50), settings_of(1, 2000));
  EXPECT_EQ(workload.sampler, Sampler::rows);
  EXPECT_EQ(workload.source, "plain.csv");
  EXPECT_TRUE(workload.assumption.empty());
  std::set<std::int64_t> seen;
  for (const Request& request : workload.requests) {
    EXPECT_EQ(request.prompt.length, 10 * request.completion);
    EXPECT_EQ(request.prompt.block_count, 0U);
    EXPECT_EQ(request.session, no_session);
    seen.insert(request.completion.value());
  }
  EXPECT_EQ(seen.size(), 50U) << "2,000 draws miss a row of 50 with probability 1e-16";
}

TEST(DrawRows, EveryRowIsEquallyLikely) {
  const Workload workload = draw_workload(plain_trace(10), settings_of(5, 100000));
  std::vector<double> counts(11);
  for (const Request& request : workload.requests) ++counts[static_cast<std::size_t>(request.completion.value())];
  double chi_square = 0;
  for (std::size_t i = 1; i <= 10; ++i) chi_square += (counts[i] - 10000) * (counts[i] - 10000) / 10000;
  EXPECT_LT(chi_square, 27.9) << "9 degrees of freedom, probability 0.001";
  EXPECT_GT(chi_square, 1.15) << "too even to be random";
}

TEST(Draw, OneSeedOneWorkloadAndCountDoesNotChangeTheFirst) {
  for (const Trace& trace : {plain_trace(20), hashed_trace()}) {
    const Workload few = draw_workload(trace, settings_of(7, 30, 2));
    const Workload many = draw_workload(trace, settings_of(7, 90, 2));
    ASSERT_EQ(few.requests.size(), 30U);
    for (std::size_t i = 0; i < few.requests.size(); ++i) EXPECT_EQ(fields(few.requests[i]), fields(many.requests[i]));
  }
}

TEST(Draw, SeedAndOrdinalChangeTheLengths) {
  const auto lengths = [](const Workload& workload) {
    std::vector<std::int64_t> all;
    for (const Request& request : workload.requests) all.push_back(request.prompt.length.value());
    return all;
  };
  const auto base = lengths(draw_workload(plain_trace(50), settings_of(7, 50)));
  EXPECT_NE(base, lengths(draw_workload(plain_trace(50), settings_of(8, 50))));
  EXPECT_NE(base, lengths(draw_workload(plain_trace(50), settings_of(7, 50, 1))));
}

TEST(DrawRows, NoPromptIsSentTwiceInARun) {
  Trace trace = hashed_trace();
  trace.rows.pop_back();
  DrawSettings settings = settings_of(3, 40);
  settings.sampler = Sampler::rows;
  std::set<std::vector<std::uint32_t>> prompts;
  for (std::uint32_t ordinal = 0; ordinal < 3; ++ordinal) {
    settings.ordinal = ordinal;
    const Workload workload = draw_workload(trace, settings);
    EXPECT_GT(workload.passes, 10U);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_TRUE(prompts.insert(tokens_of(workload, i)).second);
  }
}

TEST(DrawReplay, KeepsTheOrderAndBeginsAgainInANewNamespace) {
  Trace trace = hashed_trace();
  trace.sessions = {"s0", "s1"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    trace.rows[i].session = i % 2;
    trace.rows[i].turn = i;
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Workload workload = draw_workload(trace, replay_of(seed, 7));
    EXPECT_EQ(workload.sampler, Sampler::replay);
    std::uint32_t pass = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      const Request& request = workload.requests[i];
      if (i > 0) {
        EXPECT_EQ(request.turn, (workload.requests[i - 1].turn + 1) % 3);
        if (request.turn == 0) ++pass;
      }
      EXPECT_EQ(request.prompt.sharing_namespace, mix(0, pass));
      EXPECT_EQ(request.session, request.turn % 2 + 2 * pass);
    }
    EXPECT_EQ(workload.passes, pass + 1);
    EXPECT_LE(workload.blocks.size(), 9U) << "a row's blocks are copied once";
  }
}

TEST(DrawReplay, EveryStartComes) {
  std::set<std::uint32_t> starts;
  Trace trace = hashed_trace();
  for (std::uint32_t i = 0; i < 3; ++i) trace.rows[i].turn = i;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    starts.insert(draw_workload(trace, replay_of(seed, 1)).requests[0].turn);
  }
  EXPECT_EQ(starts.size(), 3U);
}

TEST(DrawReplay, OnlyTheBlocksUsedAreCopied) {
  const Workload workload = draw_workload(hashed_trace(), replay_of(1, 1));
  EXPECT_EQ(workload.blocks.size(), 3U);
}

TEST(Sharing, ExactOnAKnownLog) {
  const Workload workload = replay_from_first(hashed_trace(), settings_of(0, 3));
  // A nothing; B 8 of 12; C all 10, its last block counted by the prompt's length.
  EXPECT_DOUBLE_EQ(hit_rate_of(workload), 18.0 / 32);
  EXPECT_DOUBLE_EQ(hit_rate_of(workload, 2), 8.0 / 22);
  EXPECT_DOUBLE_EQ(hit_rate_of(workload, 0), 0);
  const auto a = tokens_of(workload, 0), b = tokens_of(workload, 1), c = tokens_of(workload, 2);
  EXPECT_EQ(common_prefix(a, b), 8U);
  EXPECT_EQ(a, c);
}

TEST(Sharing, NothingIsSharedBetweenPassesOrLevels) {
  const Workload workload = replay_from_first(hashed_trace(), settings_of(0, 3));
  const auto first = tokens_of(workload, 0);
  DrawSettings longer = replay_of(0, 6);
  for (longer.seed = 0; longer.seed < 50; ++longer.seed) {
    const Workload twice = draw_workload(hashed_trace(), longer);
    for (std::size_t i = 0; i < 6; ++i) {
      if (twice.requests[i].prompt.sharing_namespace == mix(0, 0)) continue;
      EXPECT_EQ(common_prefix(first, tokens_of(twice, i)), 0U);
    }
  }
  const Workload other = draw_workload(hashed_trace(), replay_of(0, 3, 1));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(common_prefix(first, tokens_of(other, i)), 0U);
}

TEST(Sharing, TokensBeyondTheIdsAreTheRequestsOwn) {
  Trace trace;
  trace.block_size = 4;
  add_hashed_row(trace, 11, {1, 2});
  add_hashed_row(trace, 11, {1, 2});
  const Workload workload = replay_from_first(trace, settings_of(0, 2));
  EXPECT_EQ(common_prefix(tokens_of(workload, 0), tokens_of(workload, 1)), 8U);
  EXPECT_DOUBLE_EQ(hit_rate_of(workload), 8.0 / 22);
}

TEST(Lengths, CutAndCounted) {
  DrawSettings settings = settings_of(0, 3);
  settings.max_prompt_tokens = Tokens(11);
  settings.max_completion_tokens = Tokens(4);
  const Workload workload = replay_from_first(hashed_trace(), settings);
  EXPECT_EQ(workload.cut_prompts, 1U);
  EXPECT_EQ(workload.cut_completions, 3U);
  EXPECT_EQ(workload.requests[1].prompt.length, Tokens(11));
  EXPECT_EQ(workload.requests[0].prompt.length, Tokens(10));
  settings.max_prompt_tokens = Tokens(6);
  const Workload short_ones = replay_from_first(hashed_trace(), settings);
  EXPECT_EQ(short_ones.cut_prompts, 3U);
  EXPECT_EQ(short_ones.requests[0].prompt.block_count, 2U) << "blocks beyond the cut are not copied";
  EXPECT_EQ(tokens_of(short_ones, 0), tokens_of(short_ones, 1));
  EXPECT_DOUBLE_EQ(hit_rate_of(short_ones), 12.0 / 18);
}

TEST(Lengths, ScaledTogetherWithTheirBlocks) {
  DrawSettings settings = settings_of(0, 3);
  settings.scale_lengths = 0.5;
  const Workload half = replay_from_first(hashed_trace(), settings);
  EXPECT_DOUBLE_EQ(half.scale_lengths, 0.5);
  EXPECT_EQ(half.block_size, 2U);
  EXPECT_EQ(half.requests[0].prompt.length, Tokens(5));
  EXPECT_EQ(half.requests[0].completion, Tokens(3));
  EXPECT_EQ(common_prefix(tokens_of(half, 0), tokens_of(half, 1)), 4U);
  EXPECT_DOUBLE_EQ(hit_rate_of(half), 9.0 / 16);
  settings.scale_lengths = 0.001;
  const Workload tiny = replay_from_first(hashed_trace(), settings);
  EXPECT_EQ(tiny.block_size, 1U);
  for (const Request& request : tiny.requests) {
    EXPECT_EQ(request.prompt.length, Tokens(1));
    EXPECT_EQ(request.completion, Tokens(1));
  }
}

TEST(Lengths, ScalingKeepsSharedTokensToWithinABlock) {
  // Two prompts of 40 blocks of 16 tokens that part after `shared` blocks.
  for (const double factor : {0.03, 0.1, 0.2, 0.37, 0.7, 1.0, 1.03, 1.5, 2.0, 3.7}) {
    for (std::uint64_t shared = 0; shared <= 40; ++shared) {
      Trace trace;
      trace.block_size = 16;
      std::vector<std::uint64_t> left, right;
      for (std::uint64_t j = 0; j < 40; ++j) left.push_back(j);
      for (std::uint64_t j = 0; j < 40; ++j) right.push_back(j < shared ? j : 1000 + j);
      add_hashed_row(trace, 635, left);
      add_hashed_row(trace, 635, right);
      DrawSettings settings = settings_of(0, 2);
      settings.scale_lengths = factor;
      const Workload workload = replay_from_first(trace, settings);
      EXPECT_EQ(workload.requests[0].prompt.length.value(), std::llround(635 * factor));
      const double expected = std::min(635.0, 16.0 * static_cast<double>(shared)) * factor;
      const auto sent = static_cast<double>(common_prefix(tokens_of(workload, 0), tokens_of(workload, 1)));
      EXPECT_LE(sent, expected + 1) << factor << " " << shared;
      EXPECT_GE(sent, expected - workload.block_size - 1) << factor << " " << shared;
    }
  }
}

std::string error_of(const Trace& trace, const DrawSettings& settings) {
  try {
    draw_workload(trace, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Draw, RefusesWhatCannotBeDrawn) {
  DrawSettings settings = settings_of(0, 3);
  EXPECT_NE(error_of(Trace{}, settings).find("no usable request"), std::string::npos);
  for (const double factor : {0.0, -1.0, 1001.0, static_cast<double>(NAN)}) {
    settings.scale_lengths = factor;
    EXPECT_NE(error_of(plain_trace(3), settings).find("scaled"), std::string::npos) << factor;
  }
  settings.scale_lengths = 1;
  settings.max_prompt_tokens = Tokens(0);
  EXPECT_NE(error_of(plain_trace(3), settings).find("longest prompt"), std::string::npos);
  settings.max_prompt_tokens.reset();
  settings.sampler = Sampler::lognormal;
  EXPECT_NE(error_of(plain_trace(3), settings).find("plain.csv"), std::string::npos);
}

}  // namespace
}  // namespace loadline
