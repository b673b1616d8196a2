#include "report/svg_plot.h"

#include <algorithm>

#include "report/number_words.h"

namespace loadline {
namespace {

constexpr double tick_size = 11.5;
constexpr double arrow_length = 20;

void draw_x_axis(SvgCanvas& canvas, const PlotFrame& frame) {
  const SvgBox& plot = frame.plot;
  const std::vector<double> ticks =
      frame.x_ticks ? *frame.x_ticks : axis_ticks(frame.x, plot.right - plot.left > 450 ? 8 : 4);
  double free_from = plot.left - 40;
  for (const double value : ticks) {
    const double x = frame.x.at(value);
    canvas.line("grid", {x, plot.top}, {x, plot.bottom});
    const std::string name = figure_setting(value);
    const double half = text_width(name, tick_size) / 2;
    if (x - half < free_from || x + half > plot.right + 14) continue;
    canvas.text("tick", {x, plot.bottom + 17}, Anchor::middle, name);
    free_from = x + half + 8;
  }
  canvas.line("axis", {plot.left, plot.bottom}, {plot.right, plot.bottom});
  canvas.text("axis-title", {plot.right, plot.bottom + 36}, Anchor::end, frame.x_title);
}

void draw_y_axis(SvgCanvas& canvas, const PlotFrame& frame) {
  const SvgBox& plot = frame.plot;
  for (const double value : axis_ticks(frame.y, 5)) {
    const double y = frame.y.at(value);
    canvas.line("grid", {plot.left, y}, {plot.right, y});
    canvas.text("tick", {plot.left - 8, y + 4}, Anchor::end, figure_setting(value));
  }
  canvas.text("axis-title", {plot.left - 48, plot.top - 12}, Anchor::start, frame.y_title);
}

void draw_arrow(SvgCanvas& canvas, const std::string& series, SvgPoint tip, IntervalWay way, double sign) {
  const bool horizontal = way == IntervalWay::horizontal;
  const auto corner = [&](double along, double across) {
    return horizontal ? SvgPoint{tip.x - sign * along, tip.y + across} : SvgPoint{tip.x + across, tip.y - sign * along};
  };
  canvas.polygon("arrow" + series, {tip, corner(7, 3.5), corner(7, -3.5)});
}

}  // namespace

void draw_frame(SvgCanvas& canvas, const PlotFrame& frame) {
  draw_y_axis(canvas, frame);
  draw_x_axis(canvas, frame);
}

void draw_interval(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, IntervalWay way, SvgPoint value,
                   const std::optional<double>& low, const std::optional<double>& high, const std::string& series) {
  const bool horizontal = way == IntervalWay::horizontal;
  const AxisScale& scale = horizontal ? frame.x : frame.y;
  const SvgPoint centre{frame.x.at(value.x), frame.y.at(value.y)};
  const double along = horizontal ? centre.x : centre.y;
  // Towards larger values: right on x, up (smaller y) on y.
  const double up = horizontal ? 1.0 : -1.0;
  const auto point = [&](double at, double across) {
    return horizontal ? SvgPoint{at, centre.y + across} : SvgPoint{centre.x + across, at};
  };
  const auto side = [&](const std::optional<double>& end, double sign) {
    const double at = end ? scale.at(*end) : along + sign * arrow_length;
    canvas.line("interval" + series, point(along, 0), point(at, 0));
    placer.obstacle_line(point(along, 0), point(at, 0));
    if (end)
      canvas.line("interval" + series, point(at, -4), point(at, 4));
    else
      draw_arrow(canvas, series, point(at, 0), way, sign);
  };
  if (!low && !high) return;  // nothing is known: no bar at all
  side(low, -up);
  side(high, up);
}

void draw_dot(SvgCanvas& canvas, SvgPoint at, const LevelResult& level) {
  std::string css = "dot";
  const bool open = level.level.kind == LevelKind::request_rate;
  if (open) css += " open";
  double reach = open ? 6 : 4.5;
  if (!is_on_line(level)) {
    css += " beside";
    reach *= 0.6;
  } else if (level.stability == Stability::not_stabilised) {
    css += " unsure";
  }
  if (open)
    canvas.polygon(css, {{at.x, at.y - reach}, {at.x + reach, at.y}, {at.x, at.y + reach}, {at.x - reach, at.y}});
  else
    canvas.circle(css, at, reach);
}

std::vector<std::string> wrapped(const std::string& words, double width, double size) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (!line.empty() && text_width(line + " " + word, size) > width) {
      lines.push_back(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace loadline
