#include <fmt/format.h>

#include <cstdio>

#include "app/commands.h"
#include "prefix/profile.h"
#include "report/trace_stats_json.h"
#include "report/trace_stats_text.h"
#include "trace/read_trace.h"
#include "trace/stats.h"

namespace loadline {

ExitStatus trace_stats_command(const TraceSpec& spec) {
  const Trace trace = read_trace(spec.files, {spec.format.empty() ? std::nullopt : std::optional(spec.format)});
  TraceStats stats = describe(trace);
  if (trace.sharing != SharingOrigin::unknown) stats.sharing = profile(trace);
  fmt::print("{}", spec.json ? trace_stats_json(stats) : trace_stats_text(stats));
  return ExitStatus::valid;
}

}  // namespace loadline
