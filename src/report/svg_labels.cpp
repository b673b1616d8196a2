#include "report/svg_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline {
namespace {

double overlap_area(const SvgBox& a, const SvgBox& b) {
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

constexpr double near_distance = 17;

struct LabelOffset {
  double x, y;  // of the anchor, in units of the distance
  Anchor anchor;
};
// Below right first: a load line bends upwards to the right, so that corner is usually free.
constexpr LabelOffset label_offsets[] = {
    {0.8, 1.0, Anchor::start},   {-0.8, -1.0, Anchor::end},  {1.2, 0.0, Anchor::start},  {-1.2, 0.0, Anchor::end},
    {0.0, -1.3, Anchor::middle}, {0.0, 1.5, Anchor::middle}, {0.8, -1.0, Anchor::start}, {-0.8, 1.0, Anchor::end},
};

SvgBox box_at(SvgPoint anchor_point, Anchor anchor, double width, double size) {
  const double left = anchor == Anchor::start ? anchor_point.x
                      : anchor == Anchor::end ? anchor_point.x - width
                                              : anchor_point.x - width / 2;
  return {left, anchor_point.y - size * 0.72, left + width, anchor_point.y + size * 0.72};
}

}  // namespace

void LabelPlacer::obstacle_line(SvgPoint from, SvgPoint to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const int pieces = std::clamp(static_cast<int>(length / 5), 1, 1000);
  for (int i = 0; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / pieces;
    const double x = from.x + share * (to.x - from.x);
    const double y = from.y + share * (to.y - from.y);
    taken_.push_back({x - 2, y - 2, x + 2, y + 2});
  }
}

double LabelPlacer::covered(const SvgBox& box) const {
  double sum = 0;
  for (const SvgBox& other : taken_) sum += overlap_area(box, other);
  // Outside the plot is worse than on top of something: it would be cut off.
  const double area = (box.right - box.left) * (box.bottom - box.top);
  return sum + 3 * (area - overlap_area(box, inside_));
}

std::optional<PlacedLabel> LabelPlacer::place(SvgPoint point, const std::string& words, double size, bool must) {
  const double width = text_width(words, size);
  PlacedLabel best;
  double best_cover = std::numeric_limits<double>::infinity();
  for (const double distance : {11.0, 17.0, 25.0, 36.0}) {
    if (distance > near_distance && !must) break;
    for (const LabelOffset& offset : label_offsets) {
      const SvgPoint anchor_point{point.x + offset.x * distance, point.y + offset.y * distance};
      const SvgBox box = box_at(anchor_point, offset.anchor, width, size);
      const double cover = covered(box);
      if (cover < best_cover - 1e-9) {
        best_cover = cover;
        best = {{anchor_point.x, anchor_point.y + size * 0.35}, offset.anchor, box, distance > near_distance};
      }
    }
    if (best_cover <= 0) break;
  }
  if (best_cover > 0 && !must) return std::nullopt;
  taken_.push_back(best.box);
  return best;
}

}  // namespace loadline
