// How the figure is made: collect what may be drawn, span the axes over it (and over the objective, which
// always has a place), draw from the ground up (limits, intervals, curves, dots), and set the labels last,
// in order of importance, around everything drawn before.
#include "report/curve_svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_words.h"
#include "report/svg_curve_marks.h"
#include "report/svg_style.h"

namespace loadline {
namespace {

struct CurveLayout {
  double width, height;  // of the plot's picture, without the lines of notes below
  double left, right;    // margins
  double top;
};

CurveLayout curve_layout(FigureFormat format) {
  if (format == FigureFormat::narrow) return {380, 400, 48, 14, 48};
  if (format == FigureFormat::standalone) return {960, 540, 64, 24, 48};
  return {760, 440, 60, 20, 34};
}

struct CurveRange {
  double low = 0, high = 0, largest = 0;
};

/// The values that the axes must hold: p99 with intervals and the objective; throughput with the ceiling.
CurveRange curve_range(const RunReport& report, const DrawnLevels& drawn) {
  std::vector<double> ms;
  CurveRange range;
  for (const LevelKind kind : {LevelKind::concurrency, LevelKind::request_rate}) {
    for (const DrawnLevel& point : drawn.of(kind)) {
      ms.push_back(point.p99_ms);
      if (point.low_ms) ms.push_back(*point.low_ms);
      if (point.high_ms) ms.push_back(*point.high_ms);
      range.largest = std::max(range.largest, point.level->aggregate_output_tokens_per_s);
    }
  }
  if (const auto objective = drawn_objective(report); objective && objective->limit.count() > 0) {
    ms.push_back(milliseconds(objective->limit));
  }
  range.low = *std::ranges::min_element(ms) / 1.25;
  range.high = *std::ranges::max_element(ms) * 1.4;
  if (report.operating_point && report.operating_point->estimate_exists) {
    const Estimate& tokens = report.operating_point->output_tokens_per_s;
    range.largest = std::max({range.largest, tokens.value, tokens.high.value_or(0)});
  }
  range.largest = drawable_ceiling(report, range.largest).value_or(range.largest);
  return range;
}

PlotFrame curve_frame(const RunReport& report, const DrawnLevels& drawn, const CurveLayout& layout, double top) {
  const CurveRange range = curve_range(report, drawn);
  const SvgBox plot{layout.left, top, layout.width - layout.right, top + layout.height - layout.top - 48};
  return {plot,
          AxisScale(ScaleKind::logarithmic, range.low, range.high, plot.left, plot.right),
          AxisScale(ScaleKind::linear, 0, std::max(1e-9, range.largest) * 1.1, plot.bottom, plot.top),
          drawn_tail(report).label() + ", ms (log scale)",
          "output, tok/s",
          std::nullopt};
}

SvgPoint place_of(const PlotFrame& frame, const DrawnLevel& point) {
  return {frame.x.at(point.p99_ms), frame.y.at(point.level->aggregate_output_tokens_per_s)};
}

void draw_series(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const std::vector<DrawnLevel>& series,
                 const std::string& css) {
  std::vector<SvgPoint> path;
  for (const DrawnLevel& point : series) {
    if (!is_on_line(*point.level)) continue;
    draw_interval(canvas, placer, frame, IntervalWay::horizontal,
                  {point.p99_ms, point.level->aggregate_output_tokens_per_s}, point.low_ms, point.high_ms, css);
    path.push_back(place_of(frame, point));
  }
  if (path.size() > 1) canvas.polyline("curve" + css, path);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) placer.obstacle_line(path[i], path[i + 1]);
}

void draw_dots(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const std::vector<DrawnLevel>& series,
               const DrawnTail& tail, bool on_line) {
  for (const DrawnLevel& point : series) {
    if (is_on_line(*point.level) != on_line) continue;
    const SvgPoint at = place_of(frame, point);
    canvas.open_point("point", point_sentence(point, tail));
    draw_dot(canvas, at, *point.level);
    canvas.circle("reach", at, 12);
    canvas.close_point();
    if (on_line) placer.obstacle({at.x - 6, at.y - 6, at.x + 6, at.y + 6});
  }
}

/// First and last of a curve name its range; the rest get a name where there is room.
void label_series(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const std::vector<DrawnLevel>& series,
                  const std::optional<Peak>& peak) {
  std::vector<const DrawnLevel*> order;
  if (!series.empty()) order.push_back(&series.back());
  for (const DrawnLevel& point : series) {
    if (&point != &series.back()) order.push_back(&point);
  }
  double named = -1;
  for (const DrawnLevel* point : order) {
    if (!is_on_line(*point->level)) continue;
    if (peak && point->level->ordinal == peak->ordinal) continue;  // named by draw_peak
    if (point->level->level.target == named) continue;             // a second visit of the same load
    const std::string words = level_label(point->level->level);
    const auto label = placer.place(place_of(frame, *point), words, label_size, false);
    if (!label) continue;
    canvas.text("label", label->at, label->anchor, words);
    named = point->level->level.target;
  }
}

std::vector<std::string> note_lines(const RunReport& report, const DrawnLevels& drawn, double width) {
  constexpr double note_size = 11.5;
  constexpr std::size_t most_listed = 5;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < std::min(most_listed, drawn.undrawn.size()); ++i) {
    const UndrawnLevel& level = drawn.undrawn[i];
    const std::optional<double> tokens = level.level->known_output_tokens_per_s();
    notes.push_back(fmt::format("Not drawn: {}{}, {}.", level_label(level.level->level),
                                tokens ? fmt::format(" ({} tok/s)", figure_number(*tokens)) : "", level.reason));
  }
  if (drawn.undrawn.size() > most_listed) {
    notes.push_back(fmt::format("{} more levels are in the table.", drawn.undrawn.size() - most_listed));
  }
  const auto objective = drawn_objective(report);
  if (objective && !shows_objective(report)) {
    notes.push_back(fmt::format(
        "The objective is set at {}, the axis shows p99: the curve meets the line before the operating point.",
        percentile_label(objective->percentile)));
  }
  if (!drawn.empty()) {
    const std::string percentile = percentile_label(drawn_tail(report).percentile);
    std::string key =
        fmt::format("Bars: 95% interval of {}; an arrow: that end does not exist. Hollow: {} has not stabilised.",
                    percentile, percentile);
    if (report.sweep.closed_visits + report.sweep.open_visits > 0) key += " Small marks: visits near the crossing.";
    if (!drawn.open.empty()) key += " Discs: closed loop; diamonds: open loop.";
    notes.push_back(key);
  }
  std::vector<std::string> lines;
  for (const std::string& note : notes) {
    for (std::string& line : wrapped(note, width, note_size)) lines.push_back(std::move(line));
  }
  return lines;
}

std::string curve_description(const RunReport& report, const DrawnLevels& drawn) {
  const DrawnTail tail = drawn_tail(report);
  std::string words =
      fmt::format("Output throughput against {}, {} levels.", tail.label(), drawn.closed.size() + drawn.open.size());
  if (const auto objective = drawn_objective(report)) words += " Objective: " + objective_label(*objective) + ".";
  if (report.operating_point) {
    const std::string capacity = capacity_words(*report.operating_point);
    if (!capacity.empty()) words += " Operating point: " + capacity + ".";
  }
  if (report.curve.peak) {
    words += " Peak: " + figure_number(report.curve.peak->aggregate_output_tokens_per_s) + " tok/s, " +
             peak_words(*report.curve.peak) + ".";
  }
  if (!drawn.undrawn.empty())
    words += fmt::format(" {} levels have no place on the curve and are listed, not drawn.", drawn.undrawn.size());
  return words + " The numbers are in the table below.";
}

/// The lines over a figure that stands alone: the answer, and what must not be lost when the file is passed on.
std::vector<std::string> heading_lines(const RunReport& report, FigureFormat format, double width) {
  if (format != FigureFormat::standalone) return {};
  std::string words = report.sentence.empty() ? "Load line of " + report.target : report.sentence;
  if (!report.valid) words = "NOT VALID. " + words;
  if (report.engine_speed != 1)
    words += fmt::format(" Simulated target: engine time runs {} times faster than the wall clock.",
                         figure_setting(report.engine_speed));
  return wrapped(words, width, 14);
}

void draw_curve(SvgCanvas& canvas, const RunReport& report, const DrawnLevels& drawn, const PlotFrame& frame) {
  LabelPlacer placer({frame.plot.left + 2, frame.plot.top, frame.plot.right, frame.plot.bottom});
  const auto objective = drawn_objective(report);
  if (objective && shows_objective(report) && frame.x.contains(milliseconds(objective->limit))) {
    const double x = frame.x.at(milliseconds(objective->limit));
    canvas.rectangle("within", {frame.plot.left, frame.plot.top, x, frame.plot.bottom});
  }
  draw_frame(canvas, frame);
  draw_limits(canvas, placer, frame, report);
  draw_series(canvas, placer, frame, drawn.closed, "");
  draw_series(canvas, placer, frame, drawn.open, " open");
  for (const bool on_line : {false, true}) {
    draw_dots(canvas, placer, frame, drawn.closed, drawn_tail(report), on_line);
    draw_dots(canvas, placer, frame, drawn.open, drawn_tail(report), on_line);
  }
  draw_operating_point(canvas, placer, frame, report);
  draw_peak(canvas, placer, frame, report, drawn);
  label_series(canvas, placer, frame, drawn.closed, report.curve.peak);
  label_series(canvas, placer, frame, drawn.open, report.curve.peak);
}

/// A level whose tokens were not counted has no height.
DrawnLevels levels_on_curve(const RunReport& report) {
  DrawnLevels drawn = drawn_levels(report, drawn_tail(report));
  for (std::vector<DrawnLevel>* series : {&drawn.closed, &drawn.open}) {
    for (const DrawnLevel& point : *series) {
      if (!point.level->tokens_counted) drawn.undrawn.push_back({point.level, "its answers have no token counts"});
    }
    std::erase_if(*series, [](const DrawnLevel& point) { return !point.level->tokens_counted; });
  }
  return drawn;
}

std::string draw_figure(const RunReport& report, FigureFormat format) {
  const DrawnLevels drawn = levels_on_curve(report);
  const CurveLayout layout = curve_layout(format);
  const std::vector<std::string> heading = heading_lines(report, format, layout.width - 48);
  const std::vector<std::string> notes = note_lines(report, drawn, layout.width - layout.left - layout.right);
  const double top = layout.top + 20 * static_cast<double>(heading.size());
  const double plot_bottom = drawn.empty() ? top : top + layout.height - layout.top;
  const double height = plot_bottom + 12 + 16 * static_cast<double>(std::max<std::size_t>(1, notes.size()));

  SvgCanvas canvas(layout.width, height, curve_description(report, drawn), "figure");
  if (format == FigureFormat::standalone) {
    canvas.style(standalone_figure_style());
    canvas.rectangle("paper", {0, 0, layout.width, height});
  }
  for (std::size_t i = 0; i < heading.size(); ++i) {
    canvas.text("axis-title", {24, 28 + 20 * static_cast<double>(i)}, Anchor::start, heading[i]);
  }
  if (drawn.empty()) {
    canvas.text("note", {layout.left, top}, Anchor::start, "No level has a p99 and a throughput that could be drawn.");
  } else {
    draw_curve(canvas, report, drawn, curve_frame(report, drawn, layout, top));
  }
  double y = plot_bottom + 8;
  if (drawn.empty()) y += 14;
  for (const std::string& line : notes) {
    canvas.text("note", {layout.left, y}, Anchor::start, line);
    y += 16;
  }
  return canvas.finish();
}

}  // namespace

std::string curve_svg(const RunReport& report) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + draw_figure(report, FigureFormat::standalone);
}

std::string curve_figure(const RunReport& report, FigureFormat format) { return draw_figure(report, format); }

}  // namespace loadline
