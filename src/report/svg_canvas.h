#pragma once
// Writes one SVG element after the other. It knows neither charts nor colours: elements carry a class,
// and svg_style.h says what a class looks like.

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct SvgPoint {
  double x = 0, y = 0;
};
struct SvgBox {
  double left = 0, top = 0, right = 0, bottom = 0;
};

enum class Anchor { start, middle, end };

/// Coordinates in pixels of the viewBox, y downwards; they must be finite. All text is escaped here.
class SvgCanvas {
 public:
  /// An image named `label` to a screen reader. `css_class` goes onto the root element.
  SvgCanvas(double width, double height, std::string_view label, std::string_view css_class);

  void style(std::string_view css);
  void rectangle(std::string_view css_class, const SvgBox& box);
  void line(std::string_view css_class, SvgPoint from, SvgPoint to);
  void polyline(std::string_view css_class, const std::vector<SvgPoint>& points);
  void polygon(std::string_view css_class, const std::vector<SvgPoint>& points);
  void circle(std::string_view css_class, SvgPoint centre, double radius);
  void text(std::string_view css_class, SvgPoint at, Anchor anchor, std::string_view words);
  /// A group that says `words` when it is pointed at (a title, and data-info for the page's script).
  void open_point(std::string_view css_class, std::string_view words);
  void close_point();
  /// Closes the image and returns it; the canvas is spent.
  std::string finish();

 private:
  void points(std::string_view element, std::string_view css_class, const std::vector<SvgPoint>& points);
  std::string out_;
};

/// About how wide `words` are at `size` pixels in a sans-serif face; rather too wide than too narrow.
double text_width(std::string_view words, double size);

}  // namespace loadline
