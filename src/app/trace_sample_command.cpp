#include <ostream>

#include "app/commands.h"
#include "app/draw_options.h"
#include "app/log_remarks.h"
#include "app/trace_output.h"
#include "trace/canonical.h"
#include "trace/opaque_name.h"
#include "trace/read_trace.h"
#include "workload/draw.h"
#include "workload/drawn_trace.h"
#include "workload/sample_distance.h"

namespace loadline {
ExitStatus trace_sample_command(const TraceSpec& spec) {
  refuse_output(spec.output, "--output");
  DrawSettings settings;
  settings.seed = spec.seed;
  settings.count = spec.requests;
  settings.sampler = sampler_of(spec.sampler);
  settings.drop_over_limit = !spec.over_limit.empty() && drops_over_limit(spec.over_limit, "--over-limit");
  if (spec.max_prompt_tokens) settings.max_prompt_tokens = Tokens(static_cast<std::int64_t>(*spec.max_prompt_tokens));
  if (spec.requests == 0) throw Error("--requests: a sample has at least one request; give 1 or more");
  if (spec.max_prompt_tokens == 0U) throw Error("--max-prompt-tokens: must be 1 or more");
  if (!spec.over_limit.empty() && !spec.max_prompt_tokens) {
    throw Error("--over-limit says what becomes of prompts over a limit; add --max-prompt-tokens, or leave it out");
  }
  if (spec.over_limit.empty() && spec.max_prompt_tokens) {
    throw Error("--max-prompt-tokens: say what becomes of longer prompts with --over-limit drop or --over-limit clip");
  }
  Trace log = read_trace(spec.files, read_options(spec));
  make_names_opaque(log);
  print_log_remarks(log);
  const Workload workload = draw_workload(log, settings);
  print_sample(workload, sample_distance(log, workload, workload.requests.size()));
  const Trace sample = drawn_trace(workload, log);
  write_output(spec.output, "--output", [&](std::ostream& out) { write_canonical(sample, out); });
  return ExitStatus::valid;
}

}  // namespace loadline
