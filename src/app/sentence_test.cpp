#include "app/sentence.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace std::chrono_literals;

LevelResult level_of(double users, double requests_per_s) {
  LevelResult level;
  level.level = {LevelKind::concurrency, users, Arrivals::closed};
  level.completed_requests_per_s = requests_per_s;
  return level;
}

RunReport report_of(Crossing crossing) {
  RunReport report;
  report.objectives = {{Latency::ttft, 0.99, 1s}, {Latency::tpot, 0.99, 50ms}};
  report.levels = {level_of(8, 2.6), level_of(96, 11.4)};
  Capacity capacity;
  capacity.crossing = crossing;
  capacity.estimate_exists = crossing == Crossing::bracketed;
  if (capacity.estimate_exists) {
    capacity.load = {50.1, 45, 55};
    capacity.requests_per_s = {9.88, 9.4, 10.3};
    capacity.output_tokens_per_s = {7250, 6900, 7560};
  }
  report.operating_point = capacity;
  report.curve.peak = Peak{8400, 96, 1, 3100.0, 3.1};
  return report;
}

TEST(Sentence, OperatingPointWithIntervalsAndPeak) {
  EXPECT_EQ(
      answer_sentence(report_of(Crossing::bracketed)),
      "About 50 users who wait for each answer: 9.40 to 10.3 requests/s of this traffic and 6,900 to 7,560 output tokens/s, with p99 TTFT "
      "≤ 1,000 ms and p99 TPOT ≤ 50 ms; the peak of 8,400 output tokens/s happens at 3.1 times the limit of p99 TTFT.");
}

TEST(Sentence, WithoutTokenCountsOnlyTheRequestsAreSaid) {
  RunReport report = report_of(Crossing::bracketed);
  report.operating_point->output_tokens_per_s = {};
  report.curve.peak.reset();
  EXPECT_EQ(
      answer_sentence(report),
      "About 50 users who wait for each answer: 9.40 to 10.3 requests/s of this traffic, with p99 TTFT ≤ 1,000 ms and p99 TPOT ≤ 50 ms.");
}

TEST(Sentence, OpenLoopSaysHowRequestsArrive) {
  RunReport report = report_of(Crossing::bracketed);
  report.operating_point->kind = LevelKind::request_rate;
  report.operating_point->load.value = 7.7;
  for (LevelResult& level : report.levels)
    level.level = {LevelKind::request_rate, level.level.target, Arrivals::poisson};
  EXPECT_TRUE(answer_sentence(report).starts_with("Poisson arrivals at 7.70 requests/s: ")) << answer_sentence(report);
  for (LevelResult& level : report.levels) level.level.arrivals = Arrivals::constant;
  EXPECT_TRUE(answer_sentence(report).starts_with("Arrivals at a constant 7.70 requests/s: "))
      << answer_sentence(report);
}

TEST(Sentence, BelowTheFirstLevelNamesTheObjectiveThatBinds) {
  RunReport report = report_of(Crossing::below_first_level);
  report.operating_point->binding_objective = 1;
  report.operating_point->requests_per_s.high = 2.6;
  EXPECT_TRUE(answer_sentence(report).starts_with(
      "Already 8 users who wait for each answer miss p99 TPOT ≤ 50 ms: capacity is below 2.60 requests/s"));
  report.operating_point->requests_per_s.high.reset();
  EXPECT_NE(answer_sentence(report).find("there is no capacity to report"), std::string::npos);
}

TEST(Sentence, AboveTheLastLevelIsABoundOrUndecided) {
  RunReport report = report_of(Crossing::above_last_level);
  report.operating_point->requests_per_s.low = 11.4;
  EXPECT_NE(answer_sentence(report).find("capacity is at least 11.4 requests/s"), std::string::npos);
  report.operating_point->requests_per_s.low.reset();
  EXPECT_TRUE(answer_sentence(report).starts_with("Undecided: "));
}

TEST(Sentence, NoObjectiveAndNoLevel) {
  RunReport report = report_of(Crossing::bracketed);
  report.objectives.clear();
  report.operating_point.reset();
  EXPECT_TRUE(answer_sentence(report).starts_with("No objective was given"));
  report.levels.clear();
  EXPECT_EQ(answer_sentence(report), "No level was completed: there is no answer.");
}

/// The report of a decision, with what users saw at its two levels.
RunReport decided(const std::string& decision) {
  RunReport report = report_of(Crossing::bracketed);
  report.decision = decision;
  report.curve.peak = Peak{8400, 96, 1, 3100.0, 3.1};
  report.levels[0].user_rate = {1000, 240, 220};
  report.levels[1].user_rate = {1000, 90, 70};
  report.levels[1].ttft_ms.p50 = 700;
  report.levels[1].ttft_ms.p99_failures_as_infinite = 3100;
  report.levels[1].e2e_ms.p50 = 6400;
  report.levels[1].measured_s = 100;
  report.levels[0].measured_s = 100;
  report.levels[1].aggregate_output_tokens_per_s = 8400;
  report.levels[0].aggregate_output_tokens_per_s = 8200;
  for (std::uint32_t i = 0; i < 2; ++i) report.levels[i].ordinal = i;
  return report;
}

TEST(Sentence, InteractiveSaysWhatAUserSees) {
  RunReport report = decided("interactive");
  EXPECT_TRUE(answer_sentence(report).starts_with(
      "At 96 users who wait for each answer, the level nearest to the operating point, a user sees 90.0 tokens/s in the "
      "median and the slow tenth 70.0 or less, after a TTFT of 700 ms (p50) and 3,100 ms (p99). About 50 users"))
      << answer_sentence(report);
  report.operating_point.reset();
  EXPECT_TRUE(answer_sentence(report).starts_with("At 8 users who wait for each answer a user sees 240 tokens/s"))
      << answer_sentence(report);
  for (LevelResult& level : report.levels) level.user_rate = {};
  EXPECT_TRUE(answer_sentence(report).starts_with("What one user sees is unknown"));
}

TEST(Sentence, BatchSaysTheMostOutputAndItsPrice) {
  RunReport report = decided("batch");
  report.sizing = size_deployment(report, 30.24);
  EXPECT_EQ(
      answer_sentence(report),
      "At most 8,400 output tokens/s, with 96 users who wait for each answer (97% of that already with 8 users who "
      "wait for each answer); answers took 6,400 ms there in the median and unknown at p99. A million output tokens "
      "cost 1.00.");
  report.levels[0].aggregate_output_tokens_per_s = 1900;
  EXPECT_EQ(answer_sentence(report).find("already with"), std::string::npos);
  report.curve.peak.reset();
  EXPECT_EQ(answer_sentence(report), "The most output is unknown: no level counted tokens.");
}

TEST(Sentence, ComparisonNeedsASecondRun) {
  const std::string sentence = answer_sentence(decided("comparison"));
  EXPECT_TRUE(sentence.starts_with("One run alone compares nothing: ")) << sentence;
  EXPECT_NE(sentence.find("This one: About 50 users"), std::string::npos) << sentence;
}

TEST(Sentence, ADemonstrationSaysWhatItMeasured) {
  RunReport report = report_of(Crossing::bracketed);
  report.workload = "repeated";
  EXPECT_NE(answer_sentence(report).find("where the target has a prefix cache"), std::string::npos);
  report.cache_measured_rate = 0.984;
  EXPECT_TRUE(answer_sentence(report).ends_with(
      "98.4% of the prompt tokens came from the prefix cache: this run measured the cache."))
      << answer_sentence(report);
  report.cache_measured_rate = 0;
  EXPECT_EQ(answer_sentence(report).find("measured the cache"), std::string::npos) << "there was none";
  report.workload = "mean";
  EXPECT_NE(answer_sentence(report).find("mean lengths"), std::string::npos);
}

TEST(Sizing, ReplicasCarryTheIntervalOfTheCapacity) {
  RunReport report = report_of(Crossing::bracketed);
  EXPECT_FALSE(size_deployment(report, std::nullopt).replicas);
  report.busiest_minute_requests_per_s = 19.76;
  const Sizing sizing = size_deployment(report, 36.0);
  EXPECT_DOUBLE_EQ(sizing.replicas->value, 2.0);
  EXPECT_DOUBLE_EQ(*sizing.replicas->low, 19.76 / 10.3);
  EXPECT_DOUBLE_EQ(*sizing.replicas->high, 19.76 / 9.4);
  EXPECT_NE(sizing.sentence.find("3 such deployments carry it"), std::string::npos) << sizing.sentence;
  EXPECT_DOUBLE_EQ(*sizing.cost_per_million_output_tokens, 36.0 / 3600 / 7250 * 1e6);
  report.operating_point->estimate_exists = false;
  EXPECT_FALSE(size_deployment(report, 36.0).replicas);
}

}  // namespace
}  // namespace loadline
