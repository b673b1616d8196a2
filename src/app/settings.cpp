#include "app/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/draw_options.h"
#include "app/objectives.h"
#include "app/sweep_settings.h"
#include "app/trace_spec.h"
#include "app/values.h"
#include "core/error.h"
#include "target/endpoint.h"

namespace loadline {
namespace {

void require_one_of(std::string_view flag, const std::string& value, const std::vector<std::string>& known) {
  if (std::ranges::find(known, value) != known.end()) return;
  throw Error(fmt::format("{}: '{}' is unknown{}; known are {}", flag, value, did_you_mean(value, known),
                          fmt::join(known, ", ")));
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> primary_metrics = {
    {{"capacity", "capacity_requests_per_s"},
     {"interactive", "user_rate_tokens_per_s"},
     {"batch", "aggregate_output_tokens_per_s"},
     {"comparison", "capacity_ratio"}}};

std::uint32_t count_of(std::string_view flag, std::uint64_t value) {
  if (value > 10'000'000)
    throw Error(fmt::format("{}: {} requests a level is more than loadline plans (10,000,000)", flag, value));
  return static_cast<std::uint32_t>(value);
}

Arrivals arrivals_named(const std::string& word) {
  if (word == "constant") return Arrivals::constant;
  if (word == "gamma") return Arrivals::gamma;
  return word == "trace" ? Arrivals::trace : Arrivals::poisson;
}

/// 0: none. The levels of a closed loop have no other cap than their users (settle_max_concurrency).
std::uint32_t cap_of(const std::string& max_concurrency) {
  if (max_concurrency.empty()) return 0;
  const std::uint64_t cap = parse_whole_number(max_concurrency, "--max-concurrency");
  if (cap == 0) throw Error("--max-concurrency: must be 1 or more");
  return count_of("--max-concurrency", cap);
}

std::vector<Level> levels_of(const RunSpec& spec) {
  if (!spec.concurrency.empty() && !spec.request_rate.empty()) {
    throw Error(
        "--concurrency and --request-rate are two kinds of load whose capacities are never mixed; give one of them");
  }
  std::vector<Level> levels;
  if (!spec.concurrency.empty()) {
    for (const double users : parse_levels(spec.concurrency, "--concurrency", true)) {
      levels.push_back({LevelKind::concurrency, users, Arrivals::closed});
    }
  }
  if (!spec.request_rate.empty()) {
    for (const double rate : parse_levels(spec.request_rate, "--request-rate", false)) {
      levels.push_back({LevelKind::request_rate, rate, arrivals_named(spec.arrivals), spec.burstiness});
    }
  }
  if (spec.arrivals == "trace" && spec.request_rate.empty()) {
    const std::string scales = spec.arrival_scale.empty() ? "1" : spec.arrival_scale;
    for (const double scale : parse_levels(scales, "--arrival-scale", false)) {
      levels.push_back({LevelKind::request_rate, 0, Arrivals::trace, 1, scale});  // the rate is the log's to tell
    }
  }
  return levels;
}

void require_consistent_arrivals(const RunSpec& spec) {
  if (!(spec.burstiness >= 0.01) || spec.burstiness > 1000) throw Error("--burstiness: must be from 0.01 to 1000");
  if (spec.burstiness != 1 && spec.arrivals != "gamma") {
    throw Error("--burstiness is the shape of gamma arrivals; add --arrivals gamma, or leave it out");
  }
  const bool own_times = spec.arrivals == "trace", closed = !spec.concurrency.empty();
  if (!spec.arrival_scale.empty() && !own_times) {
    throw Error("--arrival-scale scales the log's own times; add --arrivals trace, or leave it out");
  }
  if (!spec.arrival_scale.empty() && !spec.request_rate.empty()) {
    throw Error("--arrival-scale and --request-rate both say how fast the log's times pass; give one of them");
  }
  if (closed && !spec.arrivals.empty()) {
    throw Error("--arrivals is of an open loop, and --concurrency of a closed one; leave one of them out");
  }
  if (spec.think_times && spec.request_rate.empty() && !own_times) {
    throw Error(
        "--think-times is of an open loop: users of a closed one never pause; add --request-rate, or leave it out");
  }
  if (!spec.arrivals.empty() && !own_times && spec.request_rate.empty()) {
    throw Error("--arrivals is of an open loop; add --request-rate, or leave it out");
  }
  if (own_times && !spec.sampler.empty() && spec.sampler != "replay") {
    throw Error("--arrivals trace sends the log's requests at their own times: that is --sampler replay, no other");
  }
}

void require_consistent_input(const RunSpec& spec) {
  (void)sampler_of(spec.sampler);
  if (!spec.over_limit.empty()) (void)drops_over_limit(spec.over_limit, "--over-limit");
  (void)read_options(spec.trace_format, spec.map, spec.tokens_per_char);
  require_one_of("--content", spec.content, {"synthetic", "log"});
  if (!spec.over_limit.empty() && !spec.max_prompt_tokens) {
    throw Error("--over-limit says what becomes of prompts over a limit; add --max-prompt-tokens, or leave it out");
  }
  if (spec.cache == "warm" && !spec.sampler.empty() && spec.sampler != "replay") {
    throw Error("--cache warm fills the cache with what the log has before a window: that is --sampler replay");
  }
  if (spec.warm_requests && spec.cache != "warm") {
    throw Error("--warm-requests fill a warm cache; add --cache warm, or leave it out");
  }
  if (spec.workload_mean && spec.workload_repeat) {
    throw Error("--workload-mean and --workload-repeat are two demonstrations; give one of them");
  }
  if (spec.cache == "warm" && (spec.workload_mean || spec.workload_repeat)) {
    throw Error(
        fmt::format("--cache warm fills the cache with what the log has before a window, and {} sends nothing of "
                    "the log; leave one of them out",
                    spec.workload_mean ? "--workload-mean" : "--workload-repeat"));
  }
  if (spec.content == "log" && (spec.workload_mean || spec.workload_repeat)) {
    throw Error(fmt::format("--content log sends the log's text as it stands; leave out {}",
                            spec.workload_mean ? "--workload-mean" : "--workload-repeat"));
  }
  if (spec.content == "log" && (spec.scale_lengths != 1 || spec.max_prompt_tokens)) {
    throw Error("--content log sends the log's text as it stands; leave out --scale-lengths and --max-prompt-tokens");
  }
}

void set_extent(const RunSpec& spec, LevelRules& rules) {
  if (spec.warmup_requests) rules.warmup_requests = count_of("--warmup-requests", *spec.warmup_requests);
  if (spec.num_prompts) {
    if (*spec.num_prompts == 0) throw Error("--num-prompts: 0 requests measure nothing; give 1 or more");
    rules.num_prompts = count_of("--num-prompts", *spec.num_prompts);
  }
  if (!spec.duration.empty()) {
    if (spec.num_prompts) throw Error("--duration and --num-prompts both say when a level ends; give one of them");
    rules.duration = parse_duration(spec.duration, "--duration");
  }
  if (spec.max_requests) {
    if (*spec.max_requests == 0) throw Error("--max-requests: 0 requests measure nothing; give 1 or more");
    rules.max_requests = count_of("--max-requests", *spec.max_requests);
  }
  if (!spec.max_duration.empty() && spec.num_prompts) {
    throw Error("--max-duration ends levels that --num-prompts makes exact; give one of them");
  }
  if (!spec.max_duration.empty()) {
    rules.max_duration = parse_duration(spec.max_duration, "--max-duration");
    rules.max_duration_few_users = std::min(rules.max_duration, rules.max_duration_few_users);
  }
  if (!spec.until.empty()) {
    require_one_of("--until", spec.until, {"stable", "decided"});
    rules.until_stable = spec.until == "stable";
  }
  if (spec.until_stable && spec.until == "decided") {
    throw Error("--until-stable and --until decided contradict; give one of them");
  }
  rules.until_stable = rules.until_stable || spec.until_stable;
}

/// Answers in one piece have no times of tokens: limits on these would never hold, whatever the server does.
void require_times_of_tokens(const RunSpec& spec, const RunSettings& settings) {
  const std::optional<Endpoint> endpoint = endpoint_named(spec.endpoint_type);
  const bool streams = !spec.no_stream && (!endpoint || endpoint_row(*endpoint).streams);
  if (streams) return;
  const bool by_slo = std::ranges::any_of(settings.rules.objectives,
                                          [](const Objective& objective) { return objective.metric != Latency::e2e; });
  if (!by_slo && !settings.goodput_limits.ttft && !settings.goodput_limits.tpot) return;
  throw Error(fmt::format("{}: {} give no times of tokens, only e2e can be limited; limit e2e, or measure a stream",
                          by_slo ? "--slo" : "--goodput",
                          spec.no_stream ? "answers in one piece (--no-stream)" : "embeddings"));
}

}  // namespace

void take_rates_from_log(RunSettings& settings, std::optional<double> log_rate_per_s) {
  for (Level& level : settings.levels) {
    if (level.arrivals != Arrivals::trace) continue;
    if (!log_rate_per_s) {
      throw Error(
          "--arrivals trace: the input has no times, or all at one instant; name a log with arrivals, or use another process");
    }
    if (level.target > 0) {
      level.arrival_scale = level.target / *log_rate_per_s;
    } else {
      level.target = level.arrival_scale * *log_rate_per_s;
    }
  }
}

RunSettings settle(const RunSpec& spec) {
  RunSettings settings;
  require_one_of("--decision", spec.decision, {"capacity", "interactive", "batch", "comparison"});
  if (!spec.arrivals.empty()) require_one_of("--arrivals", spec.arrivals, {"poisson", "constant", "gamma", "trace"});
  require_one_of("--cache", spec.cache, {"cold", "warm", "as-found"});
  (void)endpoint_named(spec.endpoint_type);
  require_one_of("--balance", spec.balance, {"round-robin", "least-outstanding"});
  if (!spec.ui.empty()) require_one_of("--ui", spec.ui, {"live", "plain", "none"});
  require_consistent_arrivals(spec);
  require_consistent_input(spec);
  if (!(spec.scale_lengths > 0) || spec.scale_lengths > 1000)
    throw Error("--scale-lengths: must be above 0 and at most 1000");
  if (!(spec.engine_speed > 0) || spec.engine_speed > 1000)
    throw Error("--engine-speed: must be above 0 and at most 1000");
  if (spec.engine_speed != 1 && !spec.url.empty()) {
    throw Error("--engine-speed: only the embedded engine can run faster than the wall; leave it out with --url");
  }
  if (spec.max_prompt_tokens && *spec.max_prompt_tokens == 0) throw Error("--max-prompt-tokens: must be 1 or more");
  if (spec.max_users == 0) throw Error("--max-users: must be 1 or more");
  if (spec.price_per_hour && !(*spec.price_per_hour >= 0)) throw Error("--price-per-hour: must be 0 or more");

  settings.decision = spec.decision;
  for (const auto& [decision, metric] : primary_metrics) {
    if (decision == spec.decision) settings.primary_metric = metric;
  }
  settings.levels = levels_of(spec);
  settings.rules.objectives = parse_objectives(spec.slo);
  settings.goodput_limits = parse_goodput(spec.goodput, "--goodput");
  require_times_of_tokens(spec, settings);
  set_extent(spec, settings.rules);
  settle_sweep(spec, settings);
  if (!spec.ramp.empty()) settings.ramp = parse_duration(spec.ramp, "--ramp");
  const std::uint32_t cap = cap_of(spec.max_concurrency);
  for (Level& level : settings.levels) {
    level.ramp = settings.ramp;
    level.max_in_flight = cap;
  }
  return settings;
}

}  // namespace loadline
