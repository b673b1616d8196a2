#pragma once
// Both curves of a comparison in one figure.

#include <string>

#include "core/run_report.h"
#include "report/svg_plot.h"

namespace loadline {

/// Output throughput against p99, as the load line of a run, with A (discs) and B (diamonds) joined in order of load,
/// and the objective. For a page that holds figure_style() already. Levels without a p99 are not drawn: they stand in
/// the reports of their runs.
std::string comparison_figure(const RunReport& a, const RunReport& b, FigureFormat format);

}  // namespace loadline
