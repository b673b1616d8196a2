#include "report/sweep_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

LevelResult swept_level(LevelKind kind, LevelPurpose purpose, double engine_s) {
  LevelResult level;
  level.level.kind = kind;
  level.level.purpose = purpose;
  level.engine_s = engine_s;
  return level;
}

RunReport refined() {
  RunReport report;
  report.objectives = {{Latency::ttft, 0.99, std::chrono::seconds(1)}};
  for (int i = 0; i < 8; ++i) report.levels.push_back(swept_level(LevelKind::concurrency, LevelPurpose::ladder, 100));
  report.levels.push_back(swept_level(LevelKind::concurrency, LevelPurpose::visit, 110));
  report.sweep.mode = "sweep";
  report.sweep.closed_visits = 1;
  report.sweep.closed_engine_s = 910;
  report.sweep.closed_budget_s = 7200;
  report.sweep.precision_asked = 0.05;
  report.sweep.closed_precision = 0.043;
  report.sweep.closed_end = SweepEnd::precision;
  return report;
}

TEST(SweepWords, WhatItCostAndWhyItEnded) {
  RunReport report = refined();
  EXPECT_EQ(sweep_words(report),
            std::vector<std::string>{
                "8 levels and 1 visit near the crossing took 910 s of engine time (budget 7,200 s). They "
                "ended as the capacity is known to ±4.3%; ±5.0% was asked for."});
  report.sweep.closed_end = SweepEnd::budget;
  EXPECT_NE(sweep_words(report)[0].find("They ended with the budget, while the capacity is known to ±4.3%"),
            std::string::npos);
  report.sweep.closed_precision.reset();
  EXPECT_NE(sweep_words(report)[0].find("not both ends are known"), std::string::npos) << "absent is not 0%";
  report.sweep.closed_end = SweepEnd::not_crossed;
  EXPECT_NE(sweep_words(report)[0].find("nothing to visit"), std::string::npos);
  report.sweep.for_other_objective = true;
  EXPECT_NE(sweep_words(report)[0].find("chosen for another objective"), std::string::npos);
}

TEST(SweepWords, TheOpenPartStandsByItself) {
  RunReport report = refined();
  report.levels.push_back(swept_level(LevelKind::request_rate, LevelPurpose::step, 300));
  report.levels.push_back(swept_level(LevelKind::request_rate, LevelPurpose::visit, 300));
  report.sweep.open_visits = 1;
  report.sweep.open_engine_s = 600;
  report.sweep.open_precision_asked = 0.1;
  report.sweep.open_budget_s = 3600;
  report.sweep.open_precision = 0.2;
  report.sweep.open_end = SweepEnd::budget;
  const auto words = sweep_words(report);
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(
      words[1],
      "1 rate and 1 visit near the crossing took 600 s of engine time (budget 3,600 s). They ended with the budget, "
      "while the capacity is known to ±20.0%; ±10.0% was asked for.");
}

TEST(SweepWords, RepetitionsAndTheWayDown) {
  RunReport report = refined();
  for (const double value : {9.5, 10.0}) {
    Capacity capacity;
    capacity.estimate_exists = true;
    capacity.requests_per_s.value = value;
    report.sweep.passes.push_back({static_cast<std::uint32_t>(report.sweep.passes.size()), capacity, std::nullopt});
  }
  report.sweep.passes.push_back({2, std::nullopt, std::nullopt});
  report.sweep.between_passes = Estimate{9.75, 9.0, 10.5};
  report.sweep.up_and_down = {{8, 3, 8, ""}, {4, 2, 9, "the aggregate was 100 tokens/s upwards and 80 downwards"}};
  const auto words = sweep_words(report);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[1], "3 repetitions, closed capacity in requests/s: 9.50, 10.0, –; mean 9.75 [9.00, 10.5].");
  EXPECT_EQ(words[2], "2 loads were run upwards and downwards: 1 of them differ (hysteresis).");
}

TEST(SweepWords, NothingMeasuredNothingSaid) { EXPECT_TRUE(sweep_words(RunReport{}).empty()); }

}  // namespace
}  // namespace loadline
