#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "report/comparison_html.h"
#include "report/comparison_json.h"
#include "report/comparison_text.h"
#include "report/sample_report_test.h"

namespace loadline {
namespace {

Comparison hostile_comparison() {
  Comparison comparison;
  comparison.version = "1";
  comparison.a = "<script>a</script>";
  comparison.b = "b|\x1b[31m";
  comparison.manifest.comparability = Comparability::comparison;
  comparison.manifest.variable = "flags.<b>";
  comparison.manifest.differing = {{"flags.<b>", "<i>", std::nullopt}};
  comparison.sentence = "B is <slower>.";
  Ratio capacity;
  capacity.absence = "no <objective>";
  Ratio rate;
  rate.metric = RatioMetric::request_rate;
  rate.level = Level{LevelKind::concurrency, 32, Arrivals::closed};
  rate.a = 10;
  rate.b = 9;
  rate.b_over_a = Estimate{0.9, 0.88, 0.92};
  rate.method = RatioMethod::student_pairs;
  rate.n = 4;
  rate.verdict = ComparisonVerdict::slower;
  comparison.ratios = {capacity, rate};
  return comparison;
}

TEST(ComparisonPage, EscapesEverythingThatTheRunsTold) {
  const Comparison comparison = hostile_comparison();
  const std::string page = comparison_html(comparison, RunReport{}, RunReport{}, std::nullopt);
  for (const char* markup : {"<script>a", "flags.<b>", "<i>", "<slower>", "<objective>"})
    EXPECT_EQ(page.find(markup), std::string::npos) << markup;
  EXPECT_NE(page.find("&lt;slower&gt;"), std::string::npos);
  const std::string markdown = comparison_markdown(comparison, std::nullopt);
  EXPECT_EQ(markdown.find("<i>"), std::string::npos);
  EXPECT_EQ(comparison_terminal(comparison, std::nullopt).find('\x1b'), std::string::npos);
}

TEST(ComparisonPage, DrawsBothCurvesOfTheSameLevels) {
  const RunReport report = full_sample_report();
  Comparison comparison = hostile_comparison();
  const std::string page = comparison_html(comparison, report, report, std::nullopt);
  EXPECT_NE(page.find("class=\"curve\""), std::string::npos);
  EXPECT_NE(page.find("class=\"curve open\""), std::string::npos);
  EXPECT_NE(page.find("objective p99 TTFT"), std::string::npos);
}

TEST(ComparisonJson, AbsentIsNullWithItsReason) {
  const nlohmann::json out = nlohmann::json::parse(comparison_json(hostile_comparison(), std::nullopt));
  EXPECT_TRUE(out["ratios"][0]["b_over_a"].is_null());
  EXPECT_TRUE(out["ratios"][0]["n"].is_null());
  EXPECT_EQ(out["ratios"][0]["absence"], "no <objective>");
  EXPECT_EQ(out["ratios"][1]["b_over_a"]["low"], 0.88);
  EXPECT_EQ(out["manifest"]["differing"][0]["a"], "<i>");
  EXPECT_TRUE(out["manifest"]["differing"][0]["b"].is_null());
  EXPECT_TRUE(out["gate"].is_null());
}

TEST(ComparisonJson, ForcedNumbersHaveNoVerdict) {
  Comparison comparison = hostile_comparison();
  comparison.manifest.comparability = Comparability::refused;
  comparison.forced = true;
  const nlohmann::json out = nlohmann::json::parse(comparison_json(comparison, std::nullopt));
  EXPECT_TRUE(out["verdict"].is_null());
  EXPECT_EQ(out["ratios"].size(), 2U);
}

TEST(ComparisonTerminal, AGateSpeaksFirst) {
  Gate gate;
  gate.sentence = "Passed: as told.";
  EXPECT_EQ(comparison_terminal(hostile_comparison(), gate).rfind("Passed: as told.", 0), 0U);
}

}  // namespace
}  // namespace loadline
