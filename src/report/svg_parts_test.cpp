#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "report/number_words.h"
#include "report/svg_canvas.h"
#include "report/svg_labels.h"
#include "report/svg_plot.h"
#include "report/svg_scale.h"

namespace loadline {
namespace {

TEST(SvgNumber, KeepsSensibleDigits) {
  struct Case {
    double value;
    const char* shown;
  };
  for (const Case& c :
       {Case{0, "0"}, Case{7250.3, "7,250"}, Case{1234567, "1,234,567"}, Case{64.25, "64.2"}, Case{9.876, "9.88"},
        Case{0.01234, "0.0123"}, Case{99.97, "100"}, Case{9.999, "10.0"}, Case{-1450, "−1,450"}}) {
    EXPECT_EQ(figure_number(c.value), c.shown);
  }
  EXPECT_EQ(figure_number(std::numeric_limits<double>::infinity()), "infinite");
  EXPECT_EQ(figure_number(std::optional<double>()), "–");
}

TEST(SvgNumber, ShowsCountsSettingsAndShares) {
  EXPECT_EQ(figure_count(std::uint64_t{12345}), "12,345");
  EXPECT_EQ(figure_count(std::uint64_t{999}), "999");
  EXPECT_EQ(figure_setting(64), "64");
  EXPECT_EQ(figure_setting(7.5), "7.5");
  EXPECT_EQ(figure_setting(1000), "1,000");
  EXPECT_EQ(figure_percent(0.6512), "65.1%");
  EXPECT_EQ(figure_percent(0.0004), "0.04%");
  EXPECT_EQ(figure_percent(0), "0%");
  EXPECT_EQ(figure_percent(1), "100%");
  EXPECT_EQ(figure_percent(14.5), "14.5 ×");
}

TEST(SvgNumber, NeverInventsAnEndOfAnInterval) {
  EXPECT_EQ(figure_interval(974, 998), "[974, 998]");
  EXPECT_EQ(figure_interval(1210, std::nullopt), "≥ 1,210");
  EXPECT_EQ(figure_interval(std::nullopt, 12), "≤ 12.0");
  EXPECT_EQ(figure_interval(std::nullopt, std::nullopt), "–");
}

TEST(SvgScale, MapsBothKinds) {
  const AxisScale linear(ScaleKind::linear, 0, 100, 10, 210);
  EXPECT_DOUBLE_EQ(linear.at(0), 10);
  EXPECT_DOUBLE_EQ(linear.at(50), 110);
  const AxisScale logarithmic(ScaleKind::logarithmic, 10, 1000, 0, 200);
  EXPECT_NEAR(logarithmic.at(100), 100, 1e-9);
  const AxisScale upwards(ScaleKind::linear, 0, 10, 300, 0);
  EXPECT_DOUBLE_EQ(upwards.at(10), 0);
  EXPECT_THROW(AxisScale(ScaleKind::logarithmic, 0, 10, 0, 1), Bug);
}

TEST(SvgScale, WidensADomainOfOneValue) {
  const AxisScale one(ScaleKind::logarithmic, 100, 100, 0, 200);
  EXPECT_NEAR(one.at(100), 100, 1e-9);
  EXPECT_TRUE(std::isfinite(AxisScale(ScaleKind::linear, 0, 0, 0, 1).at(0)));
}

TEST(SvgScale, NamesRoundValues) {
  EXPECT_EQ(axis_ticks(AxisScale(ScaleKind::linear, 0, 12259, 0, 1), 5),
            (std::vector<double>{0, 2000, 4000, 6000, 8000, 10000, 12000}));
  EXPECT_EQ(axis_ticks(AxisScale(ScaleKind::logarithmic, 272, 4340, 0, 1), 8),
            (std::vector<double>{300, 500, 700, 1000, 2000, 3000}));
  const std::vector<double> decades = axis_ticks(AxisScale(ScaleKind::logarithmic, 1, 1e6, 0, 1), 6);
  EXPECT_EQ(decades.size(), 7u);
  EXPECT_DOUBLE_EQ(decades.back(), 1e6);
  EXPECT_FALSE(std::signbit(axis_ticks(AxisScale(ScaleKind::linear, 0, 1, 0, 1), 5).front()));
}

TEST(SvgCanvas, EscapesWordsAndRefusesPlacesThatAreNone) {
  SvgCanvas canvas(10, 10, "a \"b\" <c>", "figure");
  canvas.text("label", {1, 2}, Anchor::start, "p99 < 5 & <script>");
  EXPECT_THROW(canvas.circle("dot", {std::nan(""), 0}, 1), Bug);
  const std::string svg = canvas.finish();
  EXPECT_NE(svg.find("p99 &lt; 5 &amp; &lt;script&gt;"), std::string::npos);
  EXPECT_NE(svg.find("aria-label=\"a &quot;b&quot; &lt;c&gt;\""), std::string::npos);
}

bool overlap(const SvgBox& a, const SvgBox& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

TEST(SvgLabels, KeepClearOfEachOtherAndInside) {
  const SvgBox inside{0, 0, 400, 300};
  LabelPlacer placer(inside);
  std::vector<SvgBox> placed;
  for (int i = 0; i < 40; ++i) {  // a crowd around one spot
    const auto label = placer.place({200.0 + i, 150.0 + i % 5}, "64 users", 12, false);
    if (label) placed.push_back(label->box);
  }
  ASSERT_GE(placed.size(), 3u);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_GE(placed[i].left, inside.left);
    EXPECT_LE(placed[i].right, inside.right);
    for (std::size_t j = i + 1; j < placed.size(); ++j)
      EXPECT_FALSE(overlap(placed[i], placed[j])) << i << " and " << j;
  }
}

TEST(SvgLabels, WhatMustBeSaidIsSaid) {
  LabelPlacer placer({0, 0, 100, 40});
  placer.obstacle({0, 0, 100, 40});
  EXPECT_FALSE(placer.place({50, 20}, "capacity", 12, false));
  EXPECT_TRUE(placer.place({50, 20}, "capacity", 12, true));
}

TEST(SvgPlot, WrapsAtWords) {
  const auto lines = wrapped("one two three four five six seven", 80, 12);
  ASSERT_GT(lines.size(), 1u);
  std::string joined;
  for (const std::string& line : lines) joined += (joined.empty() ? "" : " ") + line;
  EXPECT_EQ(joined, "one two three four five six seven");
}

}  // namespace
}  // namespace loadline
