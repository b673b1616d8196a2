#pragma once
// A chart of lines and marks, each mark with its numbers in words. It knows no log.

#include <string>
#include <vector>

#include "report/svg_plot.h"

namespace loadline {

struct ChartMark {
  SvgPoint at;        ///< values, not pixels
  std::string words;  ///< any text
};

struct ChartSeries {
  std::string name;     ///< stands beside a mark in the middle; empty: nothing does
  bool dashed = false;  ///< tells the second of two from the first
  std::vector<ChartMark> marks;
  std::vector<std::vector<SvgPoint>> strokes;  ///< values; the points of each are joined in order
};

/// A height that the lines are held against.
struct ChartReference {
  double y = 0;
  std::string name;
};

struct Chart {
  std::string label;  ///< what the chart shows, for a screen reader
  std::string x_title, y_title;
  ScaleKind y_kind = ScaleKind::linear;  ///< from 0; x is always logarithmic
  std::vector<ChartSeries> series;
  std::vector<ChartReference> references;
};

/// The chart, or nothing where it has no mark. What has no place on a logarithmic axis, or is not finite, is left out.
std::string draw_chart(const Chart& chart, FigureFormat format);

}  // namespace loadline
