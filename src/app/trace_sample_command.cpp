#include <ostream>

#include "app/commands.h"
#include "app/draw_options.h"
#include "app/log_remarks.h"
#include "app/trace_output.h"
#include "trace/canonical.h"
#include "trace/read_trace.h"
#include "workload/draw.h"
#include "workload/drawn_trace.h"
#include "workload/sample_distance.h"

namespace loadline {
ExitStatus trace_sample_command(const TraceSpec& spec) {
  const Trace log = read_trace(spec.files, read_options(spec));
  print_log_remarks(log);
  DrawSettings settings;
  settings.seed = spec.seed;
  settings.count = spec.requests;
  settings.sampler = sampler_of(spec.sampler);
  settings.drop_over_limit = drops_over_limit(spec.over_limit, "--over-limit");
  if (spec.max_prompt_tokens) settings.max_prompt_tokens = Tokens(static_cast<std::int64_t>(*spec.max_prompt_tokens));
  const Workload workload = draw_workload(log, settings);
  print_sample(workload, sample_distance(log, workload, workload.requests.size()));
  const Trace sample = drawn_trace(workload, log);
  write_output(spec.output, [&](std::ostream& out) { write_canonical(sample, out); });
  return ExitStatus::valid;
}

}  // namespace loadline
