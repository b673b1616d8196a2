#include "report/svg_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/error.h"
#include "report/escape.h"

namespace loadline {
namespace {

std::string pixel(double value) {
  check(std::isfinite(value), "a drawn coordinate is finite");
  return fmt::format("{:.1f}", value == 0 ? 0.0 : value);
}

}  // namespace

SvgCanvas::SvgCanvas(double width, double height, std::string_view label, std::string_view css_class) {
  out_ = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="{}" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">)",
      css_class, pixel(width), pixel(height), pixel(width), pixel(height), escape_html(label));
  out_ += '\n';
}

void SvgCanvas::style(std::string_view css) { out_ += fmt::format("<style>\n{}</style>\n", css); }

void SvgCanvas::rectangle(std::string_view css_class, const SvgBox& box) {
  out_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", css_class, pixel(box.left),
                      pixel(box.top), pixel(std::max(0.0, box.right - box.left)),
                      pixel(std::max(0.0, box.bottom - box.top)));
}

void SvgCanvas::line(std::string_view css_class, SvgPoint from, SvgPoint to) {
  out_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", css_class, pixel(from.x),
                      pixel(from.y), pixel(to.x), pixel(to.y));
}

void SvgCanvas::points(std::string_view element, std::string_view css_class, const std::vector<SvgPoint>& points) {
  out_ += fmt::format("<{} class=\"{}\" points=\"", element, css_class);
  for (const SvgPoint& p : points) out_ += fmt::format("{},{} ", pixel(p.x), pixel(p.y));
  out_ += "\"/>\n";
}

void SvgCanvas::polyline(std::string_view css_class, const std::vector<SvgPoint>& list) {
  points("polyline", css_class, list);
}

void SvgCanvas::polygon(std::string_view css_class, const std::vector<SvgPoint>& list) {
  points("polygon", css_class, list);
}

void SvgCanvas::circle(std::string_view css_class, SvgPoint centre, double radius) {
  out_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", css_class, pixel(centre.x),
                      pixel(centre.y), pixel(radius));
}

void SvgCanvas::text(std::string_view css_class, SvgPoint at, Anchor anchor, std::string_view words) {
  constexpr const char* anchors[] = {"start", "middle", "end"};
  out_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", css_class, pixel(at.x),
                      pixel(at.y), anchors[static_cast<int>(anchor)], escape_html(words));
}

void SvgCanvas::open_point(std::string_view css_class, std::string_view words) {
  const std::string safe = escape_html(words);
  out_ += fmt::format("<g class=\"{}\" data-info=\"{}\"><title>{}</title>\n", css_class, safe, safe);
}

void SvgCanvas::close_point() { out_ += "</g>\n"; }

std::string SvgCanvas::finish() { return std::move(out_) + "</svg>\n"; }

double text_width(std::string_view words, double size) {
  double ems = 0;
  for (const char c : words) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;  // only the first byte of a UTF-8 sequence takes room
    if (c == ',' || c == '.' || c == ':' || c == ' ' || c == 'i' || c == 'l' || c == '[' || c == ']')
      ems += 0.34;
    else if (c == 'm' || c == 'w' || (c >= 'A' && c <= 'Z'))
      ems += 0.78;
    else
      ems += 0.6;
  }
  return ems * size;
}

}  // namespace loadline
