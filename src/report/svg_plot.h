#pragma once
// The frame of a chart (grid, ticks, titles) and its point marks, shared by the figures.

#include <optional>
#include <string>

#include "report/svg_canvas.h"
#include "report/svg_labels.h"
#include "report/svg_level.h"
#include "report/svg_scale.h"

namespace loadline {

/// Where a figure is shown: a page on a desk or on paper, a page on a phone, a file of its own.
enum class FigureFormat { wide, narrow, standalone };

struct PlotFrame {
  SvgBox plot;
  AxisScale x, y;
  std::string x_title, y_title;
  std::optional<std::vector<double>> x_ticks;  ///< instead of round ones
};

inline constexpr double label_size = 12;

/// Grid, axes, ticks (a tick whose name would touch its neighbour goes without one) and titles.
void draw_frame(SvgCanvas& canvas, const PlotFrame& frame);

enum class IntervalWay { horizontal, vertical };
/// The bar of an interval at `place` on the other axis. Where an end is absent an arrow of fixed length
/// leaves the point instead: it says "further", it does not say how far. Its boxes become obstacles.
void draw_interval(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, IntervalWay way, SvgPoint value,
                   const std::optional<double>& low, const std::optional<double>& high, const std::string& series);

/// A level's mark: disc for closed loop, diamond for open, hollow where p99 has not stabilised.
void draw_dot(SvgCanvas& canvas, SvgPoint at, const LevelResult& level);

/// A short note set in lines no wider than `width`.
std::vector<std::string> wrapped(const std::string& words, double width, double size);

}  // namespace loadline
