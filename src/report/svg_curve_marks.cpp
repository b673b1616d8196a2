#include "report/svg_curve_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_words.h"

namespace loadline {
namespace {

void draw_objective(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const Objective& objective) {
  const double limit = milliseconds(objective.limit);
  if (!frame.x.contains(limit)) return;
  const SvgBox& plot = frame.plot;
  const double x = frame.x.at(limit);
  canvas.line("objective", {x, plot.top}, {x, plot.bottom});
  placer.obstacle_line({x, plot.top}, {x, plot.bottom});
  const std::string words = "objective " + objective_label(objective);
  const double width = text_width(words, label_size);
  // Over its line, but right of the axis title and inside the picture.
  const double rightmost = plot.right - width;
  const double leftmost = std::min(rightmost, plot.left - 48 + text_width(frame.y_title, label_size) + 24);
  canvas.text("objective-label", {std::clamp(x - width / 2, leftmost, rightmost), plot.top - 12}, Anchor::start, words);
}

void draw_ceiling(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const Bound& bound) {
  const SvgBox& plot = frame.plot;
  const double ceiling = bound.request_ceiling_tokens_per_s;
  std::string words = "request ceiling " + figure_number(ceiling) + " tok/s";
  const bool inside = frame.y.contains(ceiling);
  if (!inside) words += ", above this figure";
  const std::string reached = bound.achieved_fraction_of_request_ceiling
                                  ? "; " + figure_percent(*bound.achieved_fraction_of_request_ceiling) + " reached"
                                  : "";
  if (text_width(words + reached, label_size) < plot.right - plot.left) words += reached;
  const double y = inside ? frame.y.at(ceiling) : plot.top;
  if (inside) {
    canvas.line("bound", {plot.left, y}, {plot.right, y});
    placer.obstacle_line({plot.left, y}, {plot.right, y});
  }
  const double baseline = y + 15;
  canvas.text("bound-label", {plot.left + 8, baseline}, Anchor::start, words);
  placer.obstacle({plot.left + 8, baseline - 11, plot.left + 8 + text_width(words, label_size), baseline + 4});
}

/// The value beside the limit: of the estimate where there is one, else of the drawn curve's crossing.
std::optional<double> operating_throughput(const Capacity& capacity) {
  if (capacity.crossing != Crossing::bracketed) return std::nullopt;
  double tokens = 0;  // stays 0 where tokens were not counted: no place on the curve
  if (capacity.estimate_exists)
    tokens = capacity.output_tokens_per_s.value;
  else if (capacity.interpolated)
    tokens = capacity.interpolated->output_tokens_per_s;
  return tokens > 0 ? std::optional(tokens) : std::nullopt;
}

void place_words(SvgCanvas& canvas, LabelPlacer& placer, SvgPoint at, const std::string& words, const char* css) {
  const auto label = placer.place(at, words, label_size, true);
  if (!label) return;
  if (label->far) {
    const bool above = label->box.bottom < at.y;
    canvas.line(
        "leader", {at.x, above ? at.y - 6 : at.y + 6},
        {std::clamp(at.x, label->box.left + 4, label->box.right - 4), above ? label->box.bottom : label->box.top});
  }
  canvas.text(css, label->at, label->anchor, words);
}

}  // namespace

std::optional<double> drawable_ceiling(const RunReport& report, double largest) {
  if (!report.bound || report.bound->request_ceiling_tokens_per_s <= 0) return std::nullopt;
  const double ceiling = report.bound->request_ceiling_tokens_per_s;
  return ceiling <= ceiling_in_range * largest ? std::optional(ceiling) : std::nullopt;
}

void draw_limits(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const RunReport& report) {
  if (report.bound && report.bound->request_ceiling_tokens_per_s > 0)
    draw_ceiling(canvas, placer, frame, *report.bound);
  if (const auto objective = drawn_objective(report)) draw_objective(canvas, placer, frame, *objective);
}

std::string capacity_words(const Capacity& capacity) {
  const Estimate& rate = capacity.requests_per_s;
  if (!capacity.estimate_exists) {
    if (capacity.crossing == Crossing::above_last_level && rate.low)
      return "capacity ≥ " + figure_number(*rate.low) + " req/s";
    if (capacity.crossing == Crossing::below_first_level && rate.high)
      return "capacity < " + figure_number(*rate.high) + " req/s";
    if (!capacity.interpolated) return "";
    return "capacity about " + figure_number(capacity.interpolated->requests_per_s) + " req/s, interpolated";
  }
  std::string words = "capacity " + figure_number(rate.value) + " req/s";
  if (rate.low || rate.high) words += " " + figure_interval(rate.low, rate.high);
  return words;
}

void draw_operating_point(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const RunReport& report) {
  const auto objective = drawn_objective(report);
  if (!objective || !report.operating_point) return;
  const Capacity& capacity = *report.operating_point;
  const std::optional<double> throughput = operating_throughput(capacity);
  const double limit = milliseconds(objective->limit);
  if (!throughput || !frame.y.contains(*throughput) || !frame.x.contains(limit)) return;
  const SvgPoint at{frame.x.at(limit), frame.y.at(*throughput)};
  canvas.line("guide", {frame.plot.left, at.y}, at);
  // Where the objective stands at another percentile than the axis, the p99 of the operating point is not known:
  // only its throughput is drawn.
  if (shows_objective(report)) {
    if (capacity.estimate_exists) {
      const Estimate& tokens = capacity.output_tokens_per_s;
      if (tokens.low && tokens.high) {
        canvas.line("objective", {at.x - 7, frame.y.at(*tokens.low)}, {at.x + 7, frame.y.at(*tokens.low)});
        canvas.line("objective", {at.x - 7, frame.y.at(*tokens.high)}, {at.x + 7, frame.y.at(*tokens.high)});
      }
    }
    canvas.circle("operating", at, 6);
    canvas.circle("operating-core", at, 2.5);
    placer.obstacle({at.x - 8, at.y - 8, at.x + 8, at.y + 8});
  }
  const SvgPoint beside = shows_objective(report) ? at : SvgPoint{frame.plot.left + 30, at.y};
  place_words(canvas, placer, beside, capacity_words(capacity), "label strong");
}

std::string peak_words(const Peak& peak) {
  return peak.slo_multiple ? fmt::format("peak, {:.1f} times the objective", *peak.slo_multiple) : "peak";
}

void draw_peak(SvgCanvas& canvas, LabelPlacer& placer, const PlotFrame& frame, const RunReport& report,
               const DrawnLevels& drawn) {
  if (!report.curve.peak) return;
  const Peak& peak = *report.curve.peak;
  for (const LevelKind kind : {LevelKind::concurrency, LevelKind::request_rate}) {
    for (const DrawnLevel& point : drawn.of(kind)) {
      if (point.level->ordinal != peak.ordinal) continue;
      const SvgPoint at{frame.x.at(point.p99_ms), frame.y.at(point.level->aggregate_output_tokens_per_s)};
      place_words(canvas, placer, at, level_label(point.level->level) + ": " + peak_words(peak), "label");
      return;
    }
  }
}

}  // namespace loadline
