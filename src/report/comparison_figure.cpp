#include "report/comparison_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/labels.h"
#include "report/number_words.h"
#include "report/svg_level.h"

namespace loadline {
namespace {

/// The drawable levels of one side, of the kind of load that both have.
struct ComparedCurve {
  std::vector<DrawnLevel> levels;
  std::string css;  ///< of its line: A takes the look of the closed curve, B that of the open one
  std::string name;
};

ComparedCurve curve_of(const RunReport& report, LevelKind kind, Latency metric, std::string css, std::string name) {
  ComparedCurve curve{drawn_levels(report, metric).of(kind), std::move(css), std::move(name)};
  std::erase_if(curve.levels,
                [](const DrawnLevel& drawn) { return !drawn.level->tokens_counted || !is_on_line(*drawn.level); });
  return curve;
}

PlotFrame frame_of(const ComparedCurve& a, const ComparedCurve& b, const std::optional<Objective>& objective,
                   Latency metric, double width, double height) {
  std::vector<double> ms;
  double most = 1e-9;
  for (const ComparedCurve* curve : {&a, &b}) {
    for (const DrawnLevel& drawn : curve->levels) {
      ms.push_back(drawn.p99_ms);
      most = std::max(most, drawn.level->aggregate_output_tokens_per_s);
    }
  }
  if (objective && objective->limit.count() > 0) ms.push_back(milliseconds(objective->limit));
  const auto [low, high] = std::ranges::minmax_element(ms);
  const SvgBox plot{60, 34, width - 20, height - 48};
  return {plot,
          AxisScale(ScaleKind::logarithmic, *low / 1.25, *high * 1.4, plot.left, plot.right),
          AxisScale(ScaleKind::linear, 0, most * 1.15, plot.bottom, plot.top),
          "p99 " + metric_label(metric) + ", ms (log scale)",
          "output, tok/s",
          std::nullopt};
}

SvgPoint place_in(const PlotFrame& frame, const DrawnLevel& drawn) {
  return {frame.x.at(drawn.p99_ms), frame.y.at(drawn.level->aggregate_output_tokens_per_s)};
}

/// One point a load: the middle of its passes on the page.
std::vector<SvgPoint> path_of(const PlotFrame& frame, const std::vector<DrawnLevel>& levels) {
  std::vector<SvgPoint> path;
  for (std::size_t i = 0; i < levels.size();) {
    SvgPoint sum;
    double n = 0;
    const double load = levels[i].level->level.target;
    for (; i < levels.size() && levels[i].level->level.target == load; ++i, ++n) {
      const SvgPoint at = place_in(frame, levels[i]);
      sum.x += at.x;
      sum.y += at.y;
    }
    path.push_back({sum.x / n, sum.y / n});
  }
  return path;
}

void draw_compared_dot(SvgCanvas& canvas, SvgPoint at, const ComparedCurve& curve) {
  if (curve.css.empty()) {
    canvas.circle("dot", at, 4.5);
  } else {
    canvas.polygon("dot open", {{at.x, at.y - 6}, {at.x + 6, at.y}, {at.x, at.y + 6}, {at.x - 6, at.y}});
  }
}

void draw_compared(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const ComparedCurve& curve,
                   Latency metric) {
  const std::vector<SvgPoint> path = path_of(frame, curve.levels);
  if (path.size() > 1) canvas.polyline("curve" + curve.css, path);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) placer.obstacle_line(path[i], path[i + 1]);
  for (const DrawnLevel& drawn : curve.levels) {
    const SvgPoint at = place_in(frame, drawn);
    canvas.open_point("point", curve.name + ": " + point_sentence(drawn, metric));
    draw_compared_dot(canvas, at, curve);
    canvas.circle("reach", at, 12);
    canvas.close_point();
    placer.obstacle({at.x - 6, at.y - 6, at.x + 6, at.y + 6});
  }
}

void name_loads(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const ComparedCurve& curve) {
  double named = -1;
  for (const DrawnLevel& drawn : curve.levels) {
    if (drawn.level->level.target == named) continue;
    named = drawn.level->level.target;
    const std::string words = curve.name + ", " + level_label(drawn.level->level);
    const auto label = placer.place(place_in(frame, drawn), words, label_size, false);
    if (label) canvas.text("label", label->at, label->anchor, words);
  }
}

void draw_objective_line(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const Objective& objective) {
  const double limit = milliseconds(objective.limit);
  if (!is_p99_of_all(objective) || !frame.x.contains(limit)) return;
  const double x = frame.x.at(limit);
  canvas.line("objective", {x, frame.plot.top}, {x, frame.plot.bottom});
  placer.obstacle_line({x, frame.plot.top}, {x, frame.plot.bottom});
  const std::string words = "objective " + objective_label(objective);
  const double rightmost = frame.plot.right - text_width(words, label_size);
  canvas.text("objective-label", {std::min(x, rightmost), frame.plot.top - 12}, Anchor::start, words);
}

}  // namespace

std::string comparison_figure(const RunReport& a, const RunReport& b, FigureFormat format) {
  const double width = format == FigureFormat::narrow ? 380 : 760, height = format == FigureFormat::narrow ? 400 : 440;
  const Latency metric = drawn_metric(a);
  const ComparedCurve of_a = curve_of(a, drawn_kind(a), metric, "", "A");
  const ComparedCurve of_b = curve_of(b, drawn_kind(a), metric, " open", "B");
  SvgCanvas canvas(width, height + 24,
                   fmt::format("Output throughput against p99 {} of A and B. The numbers are in the table below.",
                               metric_label(metric)),
                   "figure");
  if (of_a.levels.empty() && of_b.levels.empty()) {
    canvas.text("note", {60, 34}, Anchor::start, "No level has a p99 and a throughput that could be drawn.");
    return canvas.finish();
  }
  const std::optional<Objective> objective = drawn_objective(a);
  const PlotFrame frame = frame_of(of_a, of_b, objective, metric, width, height);
  LabelPlacer placer({frame.plot.left + 2, frame.plot.top, frame.plot.right, frame.plot.bottom});
  draw_frame(canvas, frame);
  if (objective) draw_objective_line(canvas, placer, frame, *objective);
  draw_compared(canvas, placer, frame, of_a, metric);
  draw_compared(canvas, placer, frame, of_b, metric);
  name_loads(canvas, placer, frame, of_a);
  name_loads(canvas, placer, frame, of_b);
  canvas.text("note", {60, height + 12}, Anchor::start, "Discs and solid line: A. Diamonds and dashed line: B.");
  return canvas.finish();
}

}  // namespace loadline
