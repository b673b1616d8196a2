#include "app/run_doubts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

RunReport one_level_report() {
  RunReport report;
  report.levels.emplace_back();
  report.levels[0].level.target = 8;
  report.cache_state = "cold";
  return report;
}

std::string said_of_level(const RunReport& report, std::string_view id) {
  const auto& doubts = report.levels[0].doubts;
  const auto found = std::ranges::find(doubts, id, &Doubt::id);
  return found == doubts.end() ? "" : found->text;
}

std::string said_of_run(const RunReport& report, std::string_view id) {
  const auto found = std::ranges::find(report.doubts, id, &Doubt::id);
  return found == report.doubts.end() ? "" : found->text;
}

TEST(RunDoubts, ACacheThatIsNotWhatWasPlannedIsSaid) {
  RunReport report = one_level_report();
  report.levels[0].cache = {0.30, 0.31, "usage"};
  add_run_doubts({}, report);
  EXPECT_EQ(said_of_level(report, "cache_off_target"), "");
  report = one_level_report();
  report.levels[0].cache = {0.30, 0.85, "usage"};
  add_run_doubts({}, report);
  EXPECT_EQ(said_of_level(report, "cache_off_target"),
            "Measured prefix cache hit rate 85.0% where the plan's own sharing is 30.0% with an unbounded cache.");
  EXPECT_EQ(said_of_run(report, "cache_unmeasurable"), "");
  report = one_level_report();
  add_run_doubts({}, report);
  EXPECT_NE(said_of_run(report, "cache_unmeasurable"), "");
}

TEST(RunDoubts, FewDifferentPromptsAreSaid) {
  const auto said = [](PromptVariety prompts, double measured, const std::string& workload,
                       std::optional<double> sharing = std::nullopt) {
    RunReport report = one_level_report();
    report.levels[0].prompts = prompts;
    report.levels[0].cache.measured_rate = measured;
    report.prefix_sharing_rate = sharing;
    RunDescription description;
    description.workload = workload;
    add_run_doubts(description, report);
    return said_of_level(report, "few_unique_prompts");
  };
  EXPECT_EQ(said({1000, 600}, 0.9, "drawn"), "");
  EXPECT_EQ(said({9, 1}, 0.9, "drawn"), "") << "too few to tell";
  EXPECT_EQ(
      said({1000, 400}, 0.1, "drawn"),
      "Only 400 of the 1000 prompts sent differ: a prefix cache answers a prompt that comes again sooner than a new "
      "one.");
  EXPECT_EQ(
      said({1000, 1}, 0.99, "repeated", 0.4),
      "One prompt was sent 1000 times (--workload-repeat): 99.0% of the prompt tokens came from the prefix cache, "
      "where the log's own sharing is 40.0%. This level measured the cache.");
  RunReport report = one_level_report();
  RunDescription description;
  description.repeated_texts = 7;
  add_run_doubts(description, report);
  EXPECT_TRUE(said_of_run(report, "few_unique_prompts").starts_with("7 requests sent a text of the log"));
}

TEST(RunDoubts, MeanLengthsAreADemonstration) {
  RunReport report = one_level_report();
  RunDescription description;
  add_run_doubts(description, report);
  EXPECT_EQ(said_of_run(report, "mean_lengths"), "");
  description.workload = "mean";
  add_run_doubts(description, report);
  EXPECT_NE(said_of_run(report, "mean_lengths"), "");
}

}  // namespace
}  // namespace loadline
