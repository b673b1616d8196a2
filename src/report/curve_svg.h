#pragma once
// The load line: output throughput against p99 latency, the figure a run is made for.

#include <string>

#include "core/run_report.h"
#include "report/svg_plot.h"

namespace loadline {

/// The figure as a file of its own (report.svg): own styles, light and dark, no script, no network.
std::string curve_svg(const RunReport& report);

/// The same figure for a page that holds figure_style() already.
///
/// x: p99 of the objective's metric (TTFT without an objective), ms, log scale, failures as infinite, with its
/// 95% interval. y: aggregate output throughput. One point a level, joined in order of load, closed and open
/// loop apart. A level without p99 is listed below the axis with its reason, never drawn. Objective, operating
/// point with its capacity, peak and request ceiling are marked where they exist.
std::string curve_figure(const RunReport& report, FigureFormat format);

}  // namespace loadline
