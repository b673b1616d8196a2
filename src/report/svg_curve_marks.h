#pragma once
// The marks over the load line: objective, operating point, peak, bound.

#include "report/svg_plot.h"

namespace loadline {

/// The request ceiling belongs on the axis when it is at most this many times the largest value drawn.
inline constexpr double ceiling_in_range = 1.8;

/// The request ceiling where it is low enough to be on the axis beside `largest` tok/s.
std::optional<double> drawable_ceiling(const RunReport& report, double largest);

/// Below the points: the side of the objective that keeps it, its line with its name, the ceiling.
void draw_limits(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const RunReport& report);

/// Above the points: operating point and peak, each with its words.
void draw_operating_point(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const RunReport& report);
void draw_peak(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const RunReport& report,
               const DrawnLevels& drawn);

/// "capacity 9.88 req/s [9.4, 10.3]", "capacity ≥ 11.4 req/s"; empty where nothing is known.
std::string capacity_words(const Capacity& capacity);
/// "peak, 3.1 times the objective"
std::string peak_words(const Peak& peak);

}  // namespace loadline
