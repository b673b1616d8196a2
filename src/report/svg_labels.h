#pragma once
// Places labels beside points so that they cover neither each other nor what was drawn.
//
// The idea: everything drawn leaves its box as an obstacle. A label tries places around its point, near
// ones first, and takes the first free one inside the plot. Labels are asked for in order of importance;
// one that must be seen takes the least covered place, one that may be left out is left out.

#include <optional>
#include <string>
#include <vector>

#include "report/svg_canvas.h"

namespace loadline {

/// Where a text goes: baseline point and anchor.
struct PlacedLabel {
  SvgPoint at;
  Anchor anchor = Anchor::start;
  SvgBox box;
  bool far = false;  ///< so far from its point that a line should join them
};

class LabelPlacer {
 public:
  explicit LabelPlacer(const SvgBox& inside) : inside_(inside) {}
  void obstacle(const SvgBox& box) { taken_.push_back(box); }
  /// A line as a chain of small boxes.
  void obstacle_line(SvgPoint from, SvgPoint to);
  /// A place for `words` of `size` pixels beside `point`, which becomes an obstacle. `must`: always one, however far;
  /// else only a free one close to the point.
  std::optional<PlacedLabel> place(SvgPoint point, const std::string& words, double size, bool must);

 private:
  double covered(const SvgBox& box) const;
  SvgBox inside_;
  std::vector<SvgBox> taken_;
};

}  // namespace loadline
