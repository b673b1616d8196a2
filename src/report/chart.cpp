#include "report/chart.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

bool has_place(SvgPoint at, ScaleKind y_kind) {
  return std::isfinite(at.x) && std::isfinite(at.y) && at.x > 0 && (y_kind == ScaleKind::linear || at.y > 0);
}

/// The chart without what cannot be drawn.
Chart drawable(Chart chart) {
  const auto nowhere = [&](SvgPoint at) { return !has_place(at, chart.y_kind); };
  for (ChartSeries& series : chart.series) {
    std::erase_if(series.marks, [&](const ChartMark& mark) { return nowhere(mark.at); });
    for (std::vector<SvgPoint>& stroke : series.strokes) std::erase_if(stroke, nowhere);
  }
  std::erase_if(chart.references, [&](const ChartReference& r) { return nowhere({1, r.y}); });
  return chart;
}

struct ValueRange {
  double low = infinite, high = 0;
  void hold(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

PlotFrame frame_of(const Chart& chart, const SvgBox& plot) {
  ValueRange x, y;
  for (const ChartSeries& series : chart.series) {
    for (const ChartMark& mark : series.marks) x.hold(mark.at.x), y.hold(mark.at.y);
    for (const auto& stroke : series.strokes) {
      for (const SvgPoint at : stroke) x.hold(at.x), y.hold(at.y);
    }
  }
  for (const ChartReference& reference : chart.references) y.hold(reference.y);
  const bool linear = chart.y_kind == ScaleKind::linear;
  return {
      plot,
      AxisScale(ScaleKind::logarithmic, x.low / 1.1, x.high * 1.1, plot.left, plot.right),
      AxisScale(chart.y_kind, linear ? 0 : y.low / 1.3, linear ? y.high * 1.15 : y.high * 1.3, plot.bottom, plot.top),
      chart.x_title,
      chart.y_title,
      {}};
}

SvgPoint pixels(const PlotFrame& frame, SvgPoint value) { return {frame.x.at(value.x), frame.y.at(value.y)}; }

void draw_strokes(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const ChartSeries& series) {
  for (const std::vector<SvgPoint>& stroke : series.strokes) {
    if (stroke.size() < 2) continue;
    std::vector<SvgPoint> path;
    for (const SvgPoint at : stroke) path.push_back(pixels(frame, at));
    for (std::size_t i = 1; i < path.size(); ++i) placer.obstacle_line(path[i - 1], path[i]);
    canvas.polyline(series.dashed ? "curve open" : "curve", path);
  }
}

void draw_marks(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const ChartSeries& series) {
  for (const ChartMark& mark : series.marks) {
    const SvgPoint at = pixels(frame, mark.at);
    canvas.open_point("point", mark.words);
    canvas.circle(series.dashed ? "dot open" : "dot", at, 4);
    canvas.circle("reach", at, 10);
    canvas.close_point();
    placer.obstacle({at.x - 5, at.y - 5, at.x + 5, at.y + 5});
  }
}

void name_series(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const ChartSeries& series) {
  if (series.name.empty() || series.marks.empty()) return;
  const ChartMark& mark = series.marks[series.marks.size() / 2];
  const auto label = placer.place(pixels(frame, mark.at), series.name, label_size, true);
  canvas.text("label strong", label->at, label->anchor, series.name);
}

void draw_reference(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const ChartReference& reference) {
  const double y = frame.y.at(reference.y);
  canvas.line("reference", {frame.plot.left, y}, {frame.plot.right, y});
  canvas.text("label", {frame.plot.left + 6, y - 6}, Anchor::start, reference.name);
  placer.obstacle({frame.plot.left, y - 18, frame.plot.right, y + 2});
}

}  // namespace

std::string draw_chart(const Chart& asked, FigureFormat format) {
  const Chart chart = drawable(asked);
  if (std::ranges::all_of(chart.series, [](const ChartSeries& series) { return series.marks.empty(); })) return "";
  const bool narrow = format == FigureFormat::narrow;
  const SvgBox plot = narrow ? SvgBox{56, 30, 366, 250} : SvgBox{62, 30, 966, 230};
  SvgCanvas canvas(narrow ? 380 : 980, plot.bottom + 44, chart.label, "figure");
  const PlotFrame frame = frame_of(chart, plot);
  draw_frame(canvas, frame);
  LabelPlacer placer(plot);
  for (const ChartReference& reference : chart.references) draw_reference(canvas, placer, frame, reference);
  for (const ChartSeries& series : chart.series) draw_strokes(canvas, placer, frame, series);
  for (const ChartSeries& series : chart.series) draw_marks(canvas, placer, frame, series);
  for (const ChartSeries& series : chart.series) name_series(canvas, placer, frame, series);
  return canvas.finish();
}

}  // namespace loadline
