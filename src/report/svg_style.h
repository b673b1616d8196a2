#pragma once
// The colours and faces of figures and page, light and dark, in one place.

#include <string>
#include <string_view>

namespace loadline {

/// Literal colours: many SVG viewers know no CSS variables.
struct Palette {
  const char *paper, *panel, *ink, *muted, *rule, *grid, *closed, *open, *objective, *within, *bound, *good, *bad;
};
extern const Palette light_palette;
extern const Palette dark_palette;

/// The rules of every class that the figures use.
std::string figure_style(const Palette& palette);
/// Rules for light, with dark in a media query; for a figure that stands alone.
std::string standalone_figure_style();

}  // namespace loadline
