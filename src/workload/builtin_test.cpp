#include "workload/builtin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "workload/draw.h"
#include "workload/hit_rate_test.h"
#include "workload/quantile_tables.h"
#include "workload/sharing.h"

namespace loadline {
namespace {

Workload draw_many(std::string_view name, std::size_t count) {
  DrawSettings settings;
  settings.seed = 11;
  settings.count = count;
  return draw_builtin(name, settings);
}

TEST(WorkedExample, MeansOfTwoMillionDraws) {
  const Builtin& builtin = find_builtin("worked-example");
  Random random(2024);
  constexpr int n = 2'000'000;
  double prompts = 0, completions = 0, raised = 0;
  for (int i = 0; i < n; ++i) {
    const DrawnLengths lengths = builtin.draw(random);
    ASSERT_GE(lengths.prompt.value(), 1);
    ASSERT_LE(lengths.prompt.value(), 25600);
    ASSERT_GE(lengths.completion.value(), 2);
    ASSERT_LE(lengths.completion.value(), 4800);
    prompts += static_cast<double>(lengths.prompt.value());
    completions += static_cast<double>(lengths.completion.value());
    raised += lengths.prompt == Tokens(6000) ? 1 : 0;
  }
  // Four standard errors: 1,320 and 705 tokens of spread over the root of two million.
  EXPECT_NEAR(prompts / n, 763.5, 3.8);
  EXPECT_NEAR(completions / n, 733.7, 2.1);
  EXPECT_NEAR(raised / n, 0.008, 0.0004) << "nearly all that are raised come to 6000 exactly";
}

TEST(WorkedExample, MedianAndTailOfTheLognormals) {
  const Workload workload = draw_many("worked-example", 200'000);
  // Quantile p of a lognormal: exp(mu + sigma z_p); the raised 0.8% lift the prompt's p90 a little.
  const LengthSummary prompt = summarise_prompts(workload);
  const LengthSummary completion = summarise_completions(workload);
  EXPECT_NEAR(static_cast<double>(prompt.p50), 725 * std::exp(-1.22 * 1.22 / 2), 10);
  EXPECT_NEAR(static_cast<double>(completion.p50), 740 * std::exp(-0.83 * 0.83 / 2), 8);
  EXPECT_NEAR(static_cast<double>(completion.p90), 740 * std::exp(-0.83 * 0.83 / 2 + 0.83 * 1.2815516), 25);
}

struct Published {
  const char* name;
  double prompt_p50, prompt_p90, prompt_p99, completion_p50, completion_p90, completion_p99;
  double prompt_mean, completion_mean;
};

// Of the whole traces, not of the bins.
constexpr Published published_quantiles[] = {
    {"chat-azure-2023", 1020, 2735, 4142, 129, 424, 601, 1154.70, 211.13},
    {"code-azure-2023", 1469, 5194, 7436, 13, 55, 252, 2047.85, 27.88},
    {"longchat-mooncake", 6909, 27367, 85401, 350, 597, 1120, 12035.06, 342.62},
    {"agent-weka", 74100, 143532, 349259, 220, 867, 4085, 88425.94, 440.07},
    {"reason-servegen-r1", 208, 2092, 23423, 792, 3432, 12607, 1268.25, 1527.42},
};

TEST(QuantileBuiltins, DrawThePublishedDistribution) {
  for (const Published& known : published_quantiles) {
    SCOPED_TRACE(known.name);
    const Workload workload = draw_many(known.name, 200'000);
    const LengthSummary prompt = summarise_prompts(workload);
    const LengthSummary completion = summarise_completions(workload);
    EXPECT_NEAR(static_cast<double>(prompt.p50) / known.prompt_p50, 1, 0.03);
    EXPECT_NEAR(static_cast<double>(prompt.p90) / known.prompt_p90, 1, 0.03);
    EXPECT_NEAR(static_cast<double>(prompt.p99) / known.prompt_p99, 1, 0.04);
    EXPECT_NEAR(static_cast<double>(completion.p50) / known.completion_p50, 1, 0.10);
    EXPECT_NEAR(static_cast<double>(completion.p90) / known.completion_p90, 1, 0.04);
    EXPECT_NEAR(static_cast<double>(completion.p99) / known.completion_p99, 1, 0.10);
    EXPECT_NEAR(prompt.mean / known.prompt_mean, 1, 0.06);
    // Few quantiles say little of a mean that a short far tail carries (code completions).
    EXPECT_NEAR(completion.mean / known.completion_mean, 1, 0.08);
    EXPECT_EQ(hit_rate_of(workload), 0);
  }
}

TEST(QuantileBuiltins, CompletionsBelongToTheirPrompts) {
  // Azure's 2023 chat: prompts of 397 to 1020 tokens have a median completion of 109, those of 1021 to 1189
  // one of 406. Independent draws would give both the median of all, 129.
  std::vector<std::int64_t> shorter, longer;
  for (const Request& request : draw_many("chat-azure-2023", 100'000).requests) {
    const std::int64_t prompt = request.prompt.length.value();
    if (prompt >= 397 && prompt <= 1020) shorter.push_back(request.completion.value());
    if (prompt >= 1021 && prompt <= 1189) longer.push_back(request.completion.value());
  }
  EXPECT_NEAR(static_cast<double>(summarise_lengths(shorter).p50), 109, 6);
  EXPECT_NEAR(static_cast<double>(summarise_lengths(longer).p50), 406, 6);
}

TEST(QuantileFunction, KnownPointsAndHalfWayInLogarithms) {
  LengthQuantiles quantiles{};
  for (std::size_t i = 0; i < quantiles.size(); ++i) quantiles[i] = 100 << i;
  EXPECT_EQ(length_at(quantiles, 0.25), Tokens(1600));
  EXPECT_EQ(length_at(quantiles, 0.50), Tokens(3200));
  EXPECT_EQ(length_at(quantiles, 0.375), Tokens(2263));  // 1600 * sqrt 2
  EXPECT_EQ(length_at(quantiles, 1e-12), Tokens(100));
  EXPECT_EQ(length_at(quantiles, 1 - 1e-12), Tokens(204800));
  EXPECT_EQ(length_at(LengthQuantiles{}, 0.3), Tokens(1)) << "never a request of no token";
}

TEST(QuantileTables, EveryTableIsInOrder) {
  for (const QuantileTable table : {azure_chat_2023(), azure_code_2023(), mooncake_conversation_2025(),
                                    weka_agentic_coding_2026(), servegen_reason_r1_2025()}) {
    std::int32_t previous = 0;
    for (const QuantileBin& bin : table) {
      EXPECT_GT(bin.rows, 0U);
      EXPECT_GT(bin.prompt.front(), previous) << "bins do not overlap";
      previous = bin.prompt.back();
      EXPECT_TRUE(std::is_sorted(bin.prompt.begin(), bin.prompt.end()));
      EXPECT_TRUE(std::is_sorted(bin.completion.begin(), bin.completion.end()));
    }
  }
}

TEST(Builtins, SayThatTheyAreAssumptions) {
  EXPECT_EQ(builtins().front().name, "chat-azure-2023");
  for (const Builtin& builtin : builtins()) {
    EXPECT_TRUE(builtin.assumption.starts_with("Assumption: ")) << builtin.name;
    const Workload workload = draw_many(builtin.name, 3);
    EXPECT_EQ(workload.source, "builtin:" + std::string(builtin.name));
    EXPECT_EQ(workload.assumption, builtin.assumption);
    EXPECT_EQ(workload.sampler, builtin.sampler);
    EXPECT_EQ(workload.requests.size(), 3U);
  }
  const auto says = [](std::string_view name, std::string_view what) {
    return find_builtin(name).assumption.find(what) != std::string_view::npos;
  };
  EXPECT_TRUE(says("chat-azure-2023", "2023"));
  EXPECT_TRUE(says("chat-azure-2023", "prefix sharing is unknown"));
  EXPECT_TRUE(says("agent-weka", "prefix sharing is not reproduced"));
  EXPECT_TRUE(says("longchat-mooncake", "prefix sharing is not reproduced"));
  EXPECT_TRUE(says("reason-servegen-r1", "independently"));
}

TEST(Builtins, AnUnknownNameGetsTheNearestAndTheList) {
  try {
    find_builtin("builtin:chat-azur-2024");
    FAIL();
  } catch (const Error& error) {
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find("did you mean builtin:chat-azure-2023"), std::string::npos) << sentence;
    for (const Builtin& builtin : builtins()) EXPECT_NE(sentence.find(builtin.name), std::string::npos);
  }
  DrawSettings replay;
  replay.sampler = Sampler::replay;
  EXPECT_THROW(draw_builtin("chat-azure-2023", replay), Error);
}

TEST(Builtins, ScaledAndCutLikeALog) {
  DrawSettings settings;
  settings.count = 1000;
  settings.scale_lengths = 0.1;
  settings.max_prompt_tokens = Tokens(150);
  const Workload workload = draw_builtin("builtin:chat-azure-2023", settings);
  std::uint64_t at_the_limit = 0;
  for (const Request& request : workload.requests) {
    EXPECT_LE(request.prompt.length, Tokens(150));
    EXPECT_LE(request.completion, Tokens(100));
    at_the_limit += request.prompt.length == Tokens(150) ? 1U : 0U;
  }
  EXPECT_GT(workload.cut_prompts, 100U);
  EXPECT_GE(at_the_limit, workload.cut_prompts);
}

}  // namespace
}  // namespace loadline
