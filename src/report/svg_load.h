#pragma once
// The second figure: how the tail and the useful work go with the load.

#include <string>

#include "report/svg_plot.h"

namespace loadline {

/// Two charts over one load axis (log), for the operating point's kind of load: p99 of TTFT (ms, log) with its
/// interval, and completed against good requests per second. Levels without p99 leave a gap above, not a guess.
std::string load_figure(const RunReport& report, FigureFormat format);

}  // namespace loadline
