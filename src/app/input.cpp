#include "app/input.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw_options.h"
#include "app/log_remarks.h"
#include "app/trace_spec.h"
#include "core/error.h"
#include "prefix/profile.h"
#include "trace/read_trace.h"
#include "trace/stats.h"
#include "workload/builtin.h"
#include "workload/draw.h"

namespace loadline {
namespace {

constexpr std::string_view builtin_prefix = "builtin:";
constexpr std::size_t default_warm_requests = 1000;
/// Draws from which the mean of a built-in, or of lengths that are scaled or cut, is taken.
constexpr std::size_t draws_for_mean = 400'000;

double mean_completion_of(const Workload& workload) {
  double sum = 0, known = 0;
  for (const Request& request : workload.requests) {
    sum += static_cast<double>(request.completion.value());
    known += request.completion.value() > 0 ? 1 : 0;
  }
  return known > 0 ? sum / known : 0;
}

bool tells_pauses(const Trace& trace) {
  return std::ranges::any_of(trace.details, [](const RowDetail& detail) { return detail.delay.has_value(); });
}

/// Block ids or sessions: what is drawn can share.
bool may_share(const Trace& trace) {
  return trace.block_size > 0 ||
         std::ranges::any_of(trace.rows, [](const TraceRow& row) { return row.session != no_session; });
}

bool has_text_everywhere(const Trace& trace) {
  return trace.texts.size() == trace.rows.size() &&
         std::ranges::none_of(trace.texts, [](const PromptText& text) { return text.text.empty(); });
}

/// A built-in workload has lengths and nothing else.
void refuse_options_of_logs(const RunSpec& spec) {
  const auto refuse = [](std::string_view flag, std::string_view why) {
    throw Error(fmt::format("{}: a built-in workload {}; leave it out, or name a log with --trace", flag, why));
  };
  if (!spec.trace_format.empty()) refuse("--trace-format", "has no format");
  if (!spec.map.empty()) refuse("--map", "has no fields");
  if (spec.tokens_per_char) refuse("--tokens-per-char", "has tokens");
  if (spec.content == "log") refuse("--content log", "has no text");
  if (spec.think_times) refuse("--think-times", "has no conversations");
  if (spec.cache == "warm") refuse("--cache warm", "shares no beginnings that a cache could hold");
  if (spec.arrivals == "trace") refuse("--arrivals trace", "has no times");
}

Input open_log(const RunSpec& spec, bool quiet) {
  Input input;
  ReadOptions options = read_options(spec.trace_format, spec.map, spec.tokens_per_char);
  options.keep_texts = spec.content == "log";
  input.trace = read_trace(spec.trace, options);
  if (options.keep_texts && !has_text_everywhere(*input.trace)) {
    throw Error(fmt::format("--content log: {} ({}) holds no prompt text, or not in every row; leave it out",
                            input.trace->source, input.trace->format));
  }
  input.log = describe(*input.trace);
  if (input.trace->sharing != SharingOrigin::unknown) input.log->sharing = profile(*input.trace);
  input.source = input.trace->source;
  if (spec.think_times && !tells_pauses(*input.trace)) {
    throw Error(fmt::format("--think-times: {} tells no pauses between the turns of its sessions; leave it out",
                            input.trace->source));
  }
  if (spec.cache == "warm" && !may_share(*input.trace)) {
    throw Error(
        fmt::format("--cache warm: nothing is known of what the prompts of {} share, so there is nothing to fill a "
                    "cache with; leave it out",
                    input.trace->source));
  }
  if (!quiet) print_log_remarks(*input.trace);
  return input;
}

}  // namespace

Input input_of_requests(std::vector<TraceRow> rows, const std::string& source, const RunSpec& spec) {
  Input input;
  input.source = source;
  input.trace.emplace();
  input.trace->source = source;
  input.trace->format = "run";
  input.trace->read = rows.size();
  input.trace->rows = std::move(rows);
  input.log = describe(*input.trace);
  const bool as_measured = spec.scale_lengths == 1 && !spec.max_prompt_tokens;
  input.mean_completion = as_measured ? input.log->completion_tokens.mean
                                      : mean_completion_of(draw_requests(input, spec, 0, draws_for_mean));
  return input;
}

Input open_input(const RunSpec& spec, bool quiet) {
  std::vector<std::string> trace = spec.trace;
  if (trace.empty()) trace = {"builtin:chat-azure-2023"};
  const auto is_builtin = [](const std::string& name) { return name.starts_with(builtin_prefix); };
  if (std::ranges::any_of(trace, is_builtin) && trace.size() > 1) {
    throw Error("--trace: a built-in workload stands alone; give either one builtin:NAME or files");
  }

  Input input;
  if (is_builtin(trace.front())) {
    refuse_options_of_logs(spec);
    input.builtin = trace.front().substr(builtin_prefix.size());
    input.source = trace.front();
    input.assumption = find_builtin(input.builtin).assumption;
  } else {
    input = open_log(spec, quiet);
  }
  const bool as_logged = input.log && spec.scale_lengths == 1 && !spec.max_prompt_tokens;
  input.mean_completion =
      as_logged ? input.log->completion_tokens.mean : mean_completion_of(draw_requests(input, spec, 0, draws_for_mean));
  if (spec.workload_mean || spec.workload_repeat) {
    input.means = mean_lengths(draw_requests(input, spec, 0, draws_for_mean));
    if (spec.workload_mean) input.mean_completion = static_cast<double>(input.means->completion.value());
  }
  return input;
}

namespace {

/// What the other options ask of the sampler; nothing where the log decides.
std::optional<Sampler> needed_sampler(const Input& input, const RunSpec& spec) {
  if (spec.arrivals == "trace" || spec.cache == "warm") return Sampler::replay;
  // Independent rows would send one text twice while others wait.
  const bool shares = input.trace && input.trace->sharing != SharingOrigin::unknown;
  if (spec.content == "log" && !shares) return Sampler::replay;
  return std::nullopt;
}

}  // namespace

std::optional<double> log_rate_per_s(const Input& input) {
  return input.log && input.log->arrivals ? input.log->arrivals->rate_per_s : std::nullopt;
}

Workload draw_requests(const Input& input, const RunSpec& spec, std::uint32_t ordinal, std::size_t count,
                       std::size_t window) {
  DrawSettings settings;
  settings.seed = spec.seed;
  settings.ordinal = ordinal;
  settings.count = count;
  settings.scale_lengths = spec.scale_lengths;
  if (spec.max_prompt_tokens) settings.max_prompt_tokens = Tokens(static_cast<std::int64_t>(*spec.max_prompt_tokens));
  settings.drop_over_limit = spec.over_limit == "drop";
  settings.sampler = sampler_of(spec.sampler);
  if (!settings.sampler) settings.sampler = needed_sampler(input, spec);
  if (spec.cache == "warm") settings.history = spec.warm_requests.value_or(default_warm_requests);
  settings.window = window;
  Workload workload = input.trace ? draw_workload(*input.trace, settings) : draw_builtin(input.builtin, settings);
  if (input.means && spec.workload_mean) send_means(*input.means, workload);
  if (input.means && spec.workload_repeat) repeat_one_prompt(input.means->prompt, workload);
  return workload;
}

}  // namespace loadline
