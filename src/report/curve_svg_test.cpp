#include "report/curve_svg.h"

#include <gtest/gtest.h>

#include "report/svg_load.h"
#include "report/svg_markup_test.h"
#include "report/svg_sample_test.h"

namespace loadline {
namespace {

bool says(const std::string& svg, std::string_view words) { return svg.find(words) != std::string::npos; }

TEST(CurveMarkup, TheCheckItselfFindsFaults) {
  EXPECT_EQ(markup_fault("<a><b x=\"1\"/></a>"), "");
  EXPECT_NE(markup_fault("<a><b></a></b>"), "");
  EXPECT_NE(markup_fault("<a>"), "");
}

TEST(CurveSvg, IsAWellFormedFileOfItsOwn) {
  const std::string svg = curve_svg(page_sample());
  EXPECT_EQ(markup_fault(svg), "");
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_TRUE(says(svg, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(says(svg, "role=\"img\""));
  EXPECT_TRUE(says(svg, "prefers-color-scheme: dark"));
  EXPECT_FALSE(says(svg, "<script"));
  EXPECT_EQ(times_in(svg, "http"), 1u) << "no address but the namespace";
}

TEST(CurveSvg, NamesWhatItShows) {
  const std::string svg = curve_svg(page_sample());
  for (const char* words :
       {">8 users<", ">32 users<", ">64 users<", "96 users: peak, 3.1 times the objective",
        "objective p99 TTFT ≤ 1,000 ms", "capacity 9.02 req/s [8.61, 9.40]",
        "request ceiling 11,145 tok/s; 59.3% reached", "p99 TTFT, ms (log scale)", "output, tok/s"}) {
    EXPECT_TRUE(says(svg, words)) << words;
  }
  EXPECT_EQ(times_in(svg, "<g class=\"point\""), 4u);
}

TEST(CurveSvg, DrawsAnArrowWhereAnEndDoesNotExist) {
  const std::string svg = curve_svg(page_sample());
  EXPECT_EQ(times_in(svg, "<polygon class=\"arrow\""), 2u);
  EXPECT_TRUE(says(svg, "95% interval ≥ 1,210"));
  RunReport bare = page_sample();
  for (LevelResult& level : bare.levels) level.ttft_ms.p99_low = level.ttft_ms.p99_high = std::nullopt;
  EXPECT_EQ(times_in(curve_svg(bare), "class=\"interval\""), 0u);
}

TEST(CurveSvg, ListsWhatHasNoP99InsteadOfDrawingIt) {
  RunReport report = page_sample();
  report.levels[3].stability = Stability::saturated;
  report.levels[3].queue_growth_per_s = 0.83;
  report.levels[2].ttft_ms.p99_failures_as_infinite.reset();
  report.levels[2].ttft_ms.n = 2900;
  report.levels[2].ttft_ms.n_all = 3000;
  const std::string svg = curve_svg(report);
  EXPECT_EQ(times_in(svg, "<g class=\"point\""), 2u);
  EXPECT_TRUE(says(svg, "Not drawn: 96 users (8,400 tok/s), saturated, the queue grows by 0.830"));
  EXPECT_TRUE(says(svg, "Not drawn: 64 users (7,800 tok/s), 100 of 3,000 requests failed"));
  EXPECT_EQ(markup_fault(svg), "");
}

TEST(CurveSvg, ALevelWithoutTokenCountsHasNoPlace) {
  RunReport report = page_sample();
  const std::size_t before = times_in(curve_svg(report), "class=\"reach\"");
  report.levels[0].tokens_counted = false;
  const std::string svg = curve_svg(report);
  EXPECT_EQ(times_in(svg, "class=\"reach\""), before - 1);
  EXPECT_TRUE(says(svg, "its answers have no token counts"));
  for (LevelResult& level : report.levels) level.tokens_counted = false;
  report.operating_point->output_tokens_per_s = {};
  EXPECT_EQ(times_in(curve_svg(report), "class=\"operating\""), 0u);
  EXPECT_EQ(markup_fault(curve_svg(report)), "");
}

TEST(CurveSvg, SaysWhereTheCeilingIsOutOfRange) {
  RunReport report = page_sample();
  report.bound->request_ceiling_tokens_per_s = 200000;
  report.bound->achieved_fraction_of_request_ceiling = 0.033;
  const std::string svg = curve_svg(report);
  EXPECT_TRUE(says(svg, "request ceiling 200,000 tok/s, above this figure; 3.3% reached"));
  EXPECT_EQ(times_in(svg, "<line class=\"bound\""), 0u);
}

TEST(CurveSvg, DrawsTheCrossingWhereThereIsNoEstimate) {
  RunReport report = page_sample();
  report.operating_point->estimate_exists = false;
  EXPECT_TRUE(says(curve_svg(report), "capacity about 8.92 req/s, interpolated"));
  report.operating_point->crossing = Crossing::above_last_level;
  report.operating_point->requests_per_s = {0, 11.4, std::nullopt};
  const std::string svg = curve_svg(report);
  EXPECT_EQ(times_in(svg, "class=\"operating\""), 0u);
  EXPECT_TRUE(says(svg, "capacity ≥ 11.4 req/s"));
}

TEST(CurveSvg, PlacesNoOperatingPointOnAnAxisOfAnotherPercentile) {
  RunReport report = page_sample();
  report.objectives[0].percentile = 0.95;
  const std::string svg = curve_svg(report);
  EXPECT_TRUE(says(svg, "objective p95 TTFT ≤ 1,000 ms"));
  EXPECT_TRUE(says(svg, "The objective is set at p95, the axis shows p99"));
  EXPECT_EQ(times_in(svg, "class=\"operating\""), 0u);
  EXPECT_TRUE(says(svg, "capacity 9.02 req/s"));
}

TEST(CurveSvg, KeepsOpenAndClosedApart) {
  RunReport report = page_sample();
  for (const double rate : {6.0, 8.0}) {
    LevelResult level = page_level(static_cast<std::uint32_t>(report.levels.size()),
                                   {rate, rate * 730, rate * 110, 500, 1100, Stability::stabilised, Verdict::under});
    level.level = {LevelKind::request_rate, rate, Arrivals::poisson};
    report.levels.push_back(level);
  }
  const std::string svg = curve_svg(report);
  EXPECT_EQ(times_in(svg, "<polyline class=\"curve\""), 1u);
  EXPECT_EQ(times_in(svg, "<polyline class=\"curve open\""), 1u);
  EXPECT_TRUE(says(svg, ">8 req/s<"));
}

TEST(CurveSvg, SurvivesNothingAndAlmostNothing) {
  RunReport empty;
  EXPECT_EQ(markup_fault(curve_svg(empty)), "");
  EXPECT_TRUE(says(curve_svg(empty), "No level has a p99"));
  empty.levels.push_back(
      page_level(0, {1, 265, 95, std::nullopt, std::nullopt, Stability::not_stabilised, Verdict::open}));
  const std::string one = curve_svg(empty);
  EXPECT_EQ(markup_fault(one), "");
  EXPECT_TRUE(says(one, ">1 user<"));
  EXPECT_FALSE(says(one, "class=\"objective\""));
  empty.levels[0].aggregate_output_tokens_per_s = 0;
  empty.levels[0].ttft_ms.p99_high = infinite;
  empty.objectives = {{Latency::ttft, 0.99, Nanos(0)}};
  EXPECT_EQ(markup_fault(curve_svg(empty)), "");
}

TEST(LoadFigure, ShowsTailAndGoodput) {
  const std::string svg = load_figure(page_sample(), FigureFormat::wide);
  EXPECT_EQ(markup_fault(svg), "");
  EXPECT_EQ(times_in(svg, "<g class=\"point\""), 8u);
  EXPECT_TRUE(says(svg, "attainment 71.2%"));
  EXPECT_TRUE(says(svg, "requests/s: good (solid), completed (dotted)"));
  RunReport no_limits = page_sample();
  for (LevelResult& level : no_limits.levels) {
    level.goodput_requests_per_s.reset();
    level.attainment.reset();
  }
  EXPECT_FALSE(says(load_figure(no_limits, FigureFormat::wide), "good"));
  EXPECT_EQ(load_figure(RunReport{}, FigureFormat::narrow), "");
}

}  // namespace
}  // namespace loadline
