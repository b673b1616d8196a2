#include "app/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/error.h"
#include "prefix/profile.h"
#include "report/escape.h"
#include "report/number_words.h"
#include "trace/read_trace.h"
#include "trace/stats.h"
#include "workload/builtin.h"
#include "workload/draw.h"

namespace loadline {
namespace {

constexpr std::string_view builtin_prefix = "builtin:";
/// Draws from which the mean of a built-in, or of lengths that are scaled or cut, is taken.
constexpr std::size_t draws_for_mean = 400'000;

std::optional<Sampler> sampler_of(const RunSpec& spec) {
  if (spec.sampler == "rows") return Sampler::rows;
  if (spec.sampler == "replay") return Sampler::replay;
  return std::nullopt;
}

double mean_completion_of(const Workload& workload) {
  double sum = 0;
  for (const Request& request : workload.requests) sum += static_cast<double>(request.completion.value());
  return sum / static_cast<double>(workload.requests.size());
}

void print_recognised(const Input& input) {
  const TraceStats& log = *input.log;
  fmt::print(stderr, "{}: read as {}: {} rows, {} used\n", escape_terminal(log.source), log.format,
             figure_count(log.read), figure_count(log.rows));
  for (const auto& [reason, rows] : log.refused) {
    fmt::print(stderr, "  {} refused: {} (first line {})\n", rows.count, reason,
               rows.first_lines.empty() ? 0 : rows.first_lines.front());
  }
}

Input open_log(const RunSpec& spec, bool quiet) {
  Input input;
  input.trace = read_trace(spec.trace, {spec.trace_format.empty() ? std::nullopt : std::optional(spec.trace_format)});
  input.log = describe(*input.trace);
  if (input.trace->sharing != SharingOrigin::unknown) input.log->sharing = profile(*input.trace);
  input.source = input.trace->source;
  if (!quiet) print_recognised(input);
  return input;
}

}  // namespace

Input open_input(const RunSpec& spec, bool quiet) {
  std::vector<std::string> trace = spec.trace;
  if (trace.empty()) trace = {"builtin:chat-azure-2023"};
  const auto is_builtin = [](const std::string& name) { return name.starts_with(builtin_prefix); };
  if (std::ranges::any_of(trace, is_builtin) && trace.size() > 1) {
    throw Error("--trace: a built-in workload stands alone; give either one builtin:NAME or files");
  }

  Input input;
  if (is_builtin(trace.front())) {
    if (!spec.trace_format.empty()) throw Error("--trace-format: a built-in workload has no format; leave it out");
    input.builtin = trace.front().substr(builtin_prefix.size());
    input.source = trace.front();
    input.assumption = find_builtin(input.builtin).assumption;
  } else {
    input = open_log(spec, quiet);
  }
  const bool as_logged = input.log && spec.scale_lengths == 1 && !spec.max_prompt_tokens;
  input.mean_completion =
      as_logged ? input.log->completion_tokens.mean : mean_completion_of(draw_requests(input, spec, 0, draws_for_mean));
  return input;
}

Workload draw_requests(const Input& input, const RunSpec& spec, std::uint32_t ordinal, std::size_t count) {
  DrawSettings settings;
  settings.seed = spec.seed;
  settings.ordinal = ordinal;
  settings.count = count;
  settings.scale_lengths = spec.scale_lengths;
  if (spec.max_prompt_tokens) settings.max_prompt_tokens = Tokens(static_cast<std::int64_t>(*spec.max_prompt_tokens));
  settings.sampler = sampler_of(spec);
  return input.trace ? draw_workload(*input.trace, settings) : draw_builtin(input.builtin, settings);
}

}  // namespace loadline
