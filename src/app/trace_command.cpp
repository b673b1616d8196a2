#include <fmt/format.h>

#include <cstdio>
#include <ostream>

#include "app/commands.h"
#include "app/log_summary.h"
#include "app/merge_parts.h"
#include "app/trace_output.h"
#include "bound/model_facts.h"
#include "report/trace_stats_html.h"
#include "report/trace_stats_json.h"
#include "report/trace_stats_text.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

TraceStatsExtras extras_of(const TraceSpec& spec) {
  TraceStatsExtras extras;
  if (spec.model_config.empty()) {
    if (!spec.kv.empty()) throw Error("--kv: whose KV cache? name the model with --model-config");
    return extras;
  }
  extras.kv_bytes_per_token = read_model_facts(spec.model_config, {"", spec.kv}).kv_bytes_per_token;
  extras.model = spec.model_config;
  return extras;
}

/// What cannot be done is said before a log is read.
TraceStatsExtras check_wishes(const TraceSpec& spec) {
  if (spec.json && spec.html) throw Error("--json and --html both go to standard output; give one of them");
  refuse_output(spec.part, "--part");
  return extras_of(spec);
}

ExitStatus show(LogSummary summary, const TraceSpec& spec, const TraceStatsExtras& extras) {
  if (!spec.part.empty()) write_output(spec.part, "--part", [&](std::ostream& out) { summary.write(out); });
  const TraceStats stats = summary.stats();
  fmt::print("{}", spec.json   ? trace_stats_json(stats, extras)
                   : spec.html ? trace_stats_html(stats, extras)
                               : trace_stats_text(stats, extras));
  return ExitStatus::valid;
}

}  // namespace

ExitStatus trace_stats_command(const TraceSpec& spec) {
  const TraceStatsExtras extras = check_wishes(spec);
  return show(summarise_log(spec.files, read_options(spec), parse_bytes(spec.memory, "--memory")), spec, extras);
}

ExitStatus trace_merge_command(const TraceSpec& spec) {
  const std::vector<std::string> files = files_named(spec.files);
  if (!are_parts(files)) return trace_merge_canonical(spec, files);
  if (!spec.output.empty()) throw Error("--output is for canonical traces; write the whole of parts with --part");
  const TraceStatsExtras extras = check_wishes(spec);
  return show(merge_parts(files, parse_bytes(spec.memory, "--memory"), spec.one_log), spec, extras);
}

}  // namespace loadline
