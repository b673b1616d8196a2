#include "report/svg_load.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_words.h"

namespace loadline {
namespace {

struct LoadFigure {
  LevelKind kind = LevelKind::concurrency;
  std::vector<const LevelResult*> levels;  // of that kind, by load
  std::vector<DrawnLevel> tail;            // those with a p99 TTFT
  bool goodput = false;
};

LoadFigure load_figure_of(const RunReport& report) {
  LoadFigure figure;
  figure.kind = drawn_kind(report);
  for (const LevelResult& level : report.levels) {
    if (level.level.kind != figure.kind || level.level.target <= 0 || level.measured_s <= 0) continue;
    figure.levels.push_back(&level);
    if (level.goodput_requests_per_s) figure.goodput = true;
  }
  std::ranges::stable_sort(figure.levels, {}, [](const LevelResult* level) { return level->level.target; });
  figure.tail = drawn_levels(report, Latency::ttft).of(figure.kind);
  return figure;
}

AxisScale load_scale(const LoadFigure& figure, const SvgBox& plot) {
  return {ScaleKind::logarithmic, figure.levels.front()->level.target / 1.2, figure.levels.back()->level.target * 1.2,
          plot.left, plot.right};
}

std::vector<double> load_ticks(const LoadFigure& figure) {
  std::vector<double> ticks;
  for (const LevelResult* level : figure.levels) {
    if (!is_on_line(*level)) continue;
    if (ticks.empty() || ticks.back() != level->level.target) ticks.push_back(level->level.target);
  }
  return ticks;
}

std::string load_title(LevelKind kind) {
  return kind == LevelKind::concurrency ? "load, users (log scale)" : "load, requests/s offered (log scale)";
}

AxisScale tail_scale(const LoadFigure& figure, const std::optional<double>& limit, const SvgBox& plot) {
  double low = infinite, high = 0;
  const auto hold = [&](double value) {
    if (value <= 0) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const DrawnLevel& point : figure.tail) {
    hold(point.p99_ms);
    hold(point.low_ms.value_or(point.p99_ms));
    hold(point.high_ms.value_or(point.p99_ms));
  }
  if (limit) hold(*limit);
  return {ScaleKind::logarithmic, low / 1.3, high * 1.6, plot.bottom, plot.top};
}

void draw_tail(SvgCanvas& canvas, const LoadFigure& figure, const RunReport& report, const SvgBox& plot) {
  std::optional<double> limit;
  const auto objective = drawn_objective(report);
  if (objective && objective->metric == Latency::ttft) limit = milliseconds(objective->limit);
  const PlotFrame frame{plot,
                        load_scale(figure, plot),
                        tail_scale(figure, limit, plot),
                        load_title(figure.kind),
                        "p99 TTFT, ms (log scale)",
                        load_ticks(figure)};
  draw_frame(canvas, frame);
  LabelPlacer placer(plot);
  if (limit) {
    const double y = frame.y.at(*limit);
    canvas.line("objective", {plot.left, y}, {plot.right, y});
    canvas.text("objective-label", {plot.left + 6, y - 6}, Anchor::start, objective_label(*objective));
  }
  const std::string css = figure.kind == LevelKind::concurrency ? "" : " open";
  std::vector<SvgPoint> path;
  for (const DrawnLevel& point : figure.tail) {
    if (!is_on_line(*point.level)) continue;
    draw_interval(canvas, placer, frame, IntervalWay::vertical, {point.level->level.target, point.p99_ms}, point.low_ms,
                  point.high_ms, css);
    path.push_back({frame.x.at(point.level->level.target), frame.y.at(point.p99_ms)});
  }
  if (path.size() > 1) canvas.polyline("curve" + css, path);
  for (const DrawnLevel& point : figure.tail) {
    const SvgPoint at{frame.x.at(point.level->level.target), frame.y.at(point.p99_ms)};
    canvas.open_point("point", point_sentence(point, Latency::ttft));
    draw_dot(canvas, at, *point.level);
    canvas.circle("reach", at, 12);
    canvas.close_point();
  }
}

std::string work_sentence(const LevelResult& level) {
  std::string words =
      fmt::format("{}: {} req/s completed", level_label(level.level), figure_number(level.completed_requests_per_s));
  if (level.goodput_requests_per_s) words += ", " + figure_number(*level.goodput_requests_per_s) + " req/s good";
  if (level.attainment) words += ", attainment " + figure_percent(*level.attainment);
  return words;
}

void draw_work(SvgCanvas& canvas, const LoadFigure& figure, const SvgBox& plot) {
  double largest = 1e-9;
  for (const LevelResult* level : figure.levels) largest = std::max(largest, level->completed_requests_per_s);
  const PlotFrame frame{plot,
                        load_scale(figure, plot),
                        AxisScale(ScaleKind::linear, 0, largest * 1.15, plot.bottom, plot.top),
                        load_title(figure.kind),
                        figure.goodput ? "requests/s: good (solid), completed (dotted)" : "completed, requests/s",
                        load_ticks(figure)};
  draw_frame(canvas, frame);
  std::vector<SvgPoint> completed, good;
  for (const LevelResult* level : figure.levels) {
    if (!is_on_line(*level)) continue;
    const double x = frame.x.at(level->level.target);
    completed.push_back({x, frame.y.at(level->completed_requests_per_s)});
    if (level->goodput_requests_per_s) good.push_back({x, frame.y.at(*level->goodput_requests_per_s)});
  }
  const std::string css = figure.kind == LevelKind::concurrency ? "" : " open";
  if (completed.size() > 1) canvas.polyline(figure.goodput ? "reference" : "curve" + css, completed);
  if (good.size() > 1) canvas.polyline("curve" + css, good);
  for (const LevelResult* level : figure.levels) {
    const SvgPoint at{frame.x.at(level->level.target),
                      frame.y.at(level->goodput_requests_per_s.value_or(level->completed_requests_per_s))};
    canvas.open_point("point", work_sentence(*level));
    draw_dot(canvas, at, *level);
    canvas.circle("reach", at, 12);
    canvas.close_point();
  }
}

}  // namespace

std::string load_figure(const RunReport& report, FigureFormat format) {
  const LoadFigure figure = load_figure_of(report);
  if (figure.levels.empty()) return "";
  const bool narrow = format == FigureFormat::narrow;
  const double width = narrow ? 380 : 980;
  const double height = narrow ? 560 : 330;
  const SvgBox first = narrow ? SvgBox{48, 34, 366, 220} : SvgBox{54, 34, 470, 270};
  const SvgBox second = narrow ? SvgBox{48, 310, 366, 500} : SvgBox{552, 34, 966, 270};
  SvgCanvas canvas(
      width, height,
      fmt::format("p99 TTFT, and {} requests per second, against load, {} levels. The numbers are in the table below.",
                  figure.goodput ? "completed and good" : "completed", figure.levels.size()),
      "figure");
  if (figure.tail.empty())
    canvas.text("note", {first.left, first.top}, Anchor::start, "No level has a p99 TTFT.");
  else
    draw_tail(canvas, figure, report, first);
  draw_work(canvas, figure, second);
  return canvas.finish();
}

}  // namespace loadline
