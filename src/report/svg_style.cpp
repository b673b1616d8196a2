#include "report/svg_style.h"

#include <fmt/format.h>

namespace loadline {

const Palette light_palette = {.paper = "#ffffff",
                               .panel = "#f6f6f3",
                               .ink = "#1a1c20",
                               .muted = "#5c6068",
                               .rule = "#c9cac6",
                               .grid = "#e6e6e2",
                               .closed = "#0a5a8c",
                               .open = "#7a3e9d",
                               .objective = "#b3261e",
                               .within = "#f1f6f1",
                               .bound = "#7d6200",
                               .good = "#1e6b3a",
                               .bad = "#b3261e"};
const Palette dark_palette = {.paper = "#15171a",
                              .panel = "#1c1f23",
                              .ink = "#e7e6e2",
                              .muted = "#a2a6ad",
                              .rule = "#44484f",
                              .grid = "#2a2d32",
                              .closed = "#6db7e6",
                              .open = "#cf9cf0",
                              .objective = "#ff8f82",
                              .within = "#18201b",
                              .bound = "#d8b24c",
                              .good = "#79c894",
                              .bad = "#ff8f82"};

std::string figure_style(const Palette& p) {
  struct Rule {
    const char* selector;
    std::string body;
  };
  const auto stroke = [](const char* colour, const char* rest) {
    return fmt::format("fill:none;stroke:{};{}", colour, rest);
  };
  const auto words = [](const char* colour, const char* rest) { return fmt::format("fill:{};{}", colour, rest); };
  const Rule rules[] = {
      {"svg.figure",
       "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
       "font-variant-numeric:tabular-nums"},
      {".paper", words(p.paper, "")},
      {".within", words(p.within, "")},
      {".grid", stroke(p.grid, "stroke-width:1")},
      {".axis", stroke(p.muted, "stroke-width:1")},
      {".tick", words(p.muted, "font-size:11.5px")},
      {".axis-title", words(p.ink, "font-size:12px;font-weight:600")},
      {".note", words(p.muted, "font-size:11.5px")},
      {".curve", stroke(p.closed, "stroke-width:1.75;stroke-linejoin:round")},
      {".curve.open", stroke(p.open, "stroke-width:1.75;stroke-dasharray:6 3")},
      {".interval", stroke(p.closed, "stroke-width:1.25;opacity:.65")},
      {".interval.open", stroke(p.open, "stroke-width:1.25;opacity:.65")},
      {".arrow", words(p.closed, "opacity:.65")},
      {".arrow.open", words(p.open, "opacity:.65")},
      {".dot", fmt::format("fill:{};stroke:{};stroke-width:1.5", p.closed, p.paper)},
      {".dot.open", fmt::format("fill:{};stroke:{};stroke-width:1.5", p.open, p.paper)},
      {".dot.beside", "stroke-width:0.75;opacity:0.6"},
      {".dot.unsure", fmt::format("fill:{};stroke:{};stroke-width:1.5", p.paper, p.closed)},
      {".dot.open.unsure", fmt::format("fill:{};stroke:{};stroke-width:1.5", p.paper, p.open)},
      {".reach", "fill:transparent;stroke:none"},
      {".label",
       fmt::format("fill:{};font-size:12px;paint-order:stroke;stroke:{};stroke-width:3px;stroke-linejoin:round", p.ink,
                   p.paper)},
      {".label.strong", "font-weight:600"},
      {".objective", stroke(p.objective, "stroke-width:1.5")},
      {".objective-label",
       fmt::format("fill:{};font-size:12px;font-weight:600;paint-order:stroke;stroke:{};stroke-width:3px", p.objective,
                   p.paper)},
      {".bound", stroke(p.bound, "stroke-width:1.25;stroke-dasharray:2 3")},
      {".bound-label",
       fmt::format("fill:{};font-size:12px;paint-order:stroke;stroke:{};stroke-width:3px", p.bound, p.paper)},
      {".guide", stroke(p.objective, "stroke-width:1;stroke-dasharray:3 3;opacity:.7")},
      {".operating", fmt::format("fill:{};stroke:{};stroke-width:2.25", p.paper, p.objective)},
      {".operating-core", words(p.objective, "")},
      {".leader", stroke(p.muted, "stroke-width:1")},
      {".reference", stroke(p.muted, "stroke-width:1.25;stroke-dasharray:2 3")},
      {".point:hover .dot,.point.chosen .dot", fmt::format("stroke:{};stroke-width:2.5", p.ink)},
  };
  std::string css;
  for (const Rule& rule : rules) css += fmt::format("{}{{{}}}\n", rule.selector, rule.body);
  return css;
}

std::string standalone_figure_style() {
  return figure_style(light_palette) + "@media (prefers-color-scheme: dark){\n" + figure_style(dark_palette) + "}\n";
}

}  // namespace loadline
