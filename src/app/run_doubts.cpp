#include "app/run_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "curve/operating_point.h"
#include "workload/sample_distance.h"

namespace loadline {
namespace {

/// How far the measured hit rate may lie from its target before a level says so.
constexpr double cache_tolerance = 0.02;
/// Below this share of different prompts a level says so, where it sent enough of them to tell.
constexpr double least_unique = 0.5;
constexpr std::uint64_t least_prompts = 10;
constexpr double mostly_cached = 0.5;

std::string fact_value(const RunReport& report, const std::string& key) {
  const auto found = std::ranges::find(report.facts, key, &Fact::key);
  return found == report.facts.end() ? "" : found->value;
}

void add_sample_doubts(const RunDescription& d, RunReport& report) {
  for (LevelResult& level : report.levels) {
    const auto planned = d.planned.find(level.ordinal);
    if (planned == d.planned.end() || !planned->second.sample) continue;
    for (const std::string& reason : reasons_for_doubt(*planned->second.sample))
      level.doubts.push_back(make_doubt("sample_off_log", level.ordinal, reason));
  }
}

void add_input_doubts(const RunDescription& d, RunReport& report) {
  if (!d.assumption.empty()) report.doubts.push_back(make_doubt("trace_assumed", std::nullopt, d.assumption));
  if (d.scale_lengths != 1) {
    report.doubts.push_back(make_doubt(
        "lengths_scaled", std::nullopt,
        fmt::format("All lengths of the input were multiplied by {:g}: the result is not that of the real traffic.",
                    d.scale_lengths)));
  }
  if (d.cut_prompts + d.dropped_prompts > 0) {
    report.doubts.push_back(
        make_doubt("prompts_cut", std::nullopt,
                   fmt::format("{} drawn prompts were longer than --max-prompt-tokens and were {}.",
                               d.cut_prompts + d.dropped_prompts, d.dropped_prompts > 0 ? "left out" : "cut")));
  }
  if (d.log && d.log->tokens_estimated) {
    report.doubts.push_back(make_doubt(
        "tokens_estimated", std::nullopt,
        "Lengths of the log are estimated from characters, not counted: the input is only as good as that."));
  }
  if (d.repeated_texts > 0) {
    report.doubts.push_back(make_doubt(
        "few_unique_prompts", std::nullopt,
        fmt::format("{} requests sent a text of the log that the run had sent before: a prefix cache that was not "
                    "emptied in between answers those sooner.",
                    d.repeated_texts)));
  }
  if (d.workload == "mean") {
    report.doubts.push_back(make_doubt(
        "mean_lengths", std::nullopt,
        "--workload-mean: every request had the input's mean prompt and mean completion. Real lengths spread, "
        "and their tail makes the latencies: this is a demonstration, not a result."));
  }
  add_sample_doubts(d, report);
}

/// A prompt that comes again is answered from the prefix cache, sooner than the traffic it stands for.
void add_variety_doubts(const RunDescription& d, RunReport& report) {
  for (LevelResult& level : report.levels) {
    if (!level.prompts || level.prompts->sent < least_prompts) continue;
    const double share = static_cast<double>(level.prompts->unique) / static_cast<double>(level.prompts->sent);
    if (share >= least_unique) continue;
    std::string text = fmt::format("Only {} of the {} prompts sent differ", level.prompts->unique, level.prompts->sent);
    if (d.workload == "repeated")
      text = fmt::format("One prompt was sent {} times (--workload-repeat)", level.prompts->sent);
    if (level.cache.measured_rate && *level.cache.measured_rate > mostly_cached) {
      const std::string of_log =
          report.prefix_sharing_rate
              ? fmt::format("where the log's own sharing is {:.1f}%", 100 * *report.prefix_sharing_rate)
              : "where nothing is known of what the input's prompts share";
      text +=
          fmt::format(": {:.1f}% of the prompt tokens came from the prefix cache, {}. This level measured the cache.",
                      100 * *level.cache.measured_rate, of_log);
    } else {
      text += ": a prefix cache answers a prompt that comes again sooner than a new one.";
    }
    level.doubts.push_back(make_doubt("few_unique_prompts", level.ordinal, std::move(text)));
  }
}

void add_target_doubts(const RunDescription& d, RunReport& report) {
  if (d.simulated) {
    const std::string time =
        d.virtual_time ? "in virtual time"
        : d.engine_speed != 1
            ? fmt::format("over real HTTP, its time running {:g} times faster than the wall", d.engine_speed)
            : "over real HTTP";
    report.doubts.push_back(make_doubt("engine_simulated", std::nullopt,
                                       "The target is loadline's simulated engine, " + time +
                                           ": the numbers are those of a model of an engine, of no real hardware."));
  } else {
    const std::string speculative = fact_value(report, "flags.speculative_decoding"),
                      experts = fact_value(report, "model.experts");
    if (d.content == "synthetic" && (speculative != "off" || experts != "none")) {
      report.doubts.push_back(make_doubt(
          "content_synthetic", std::nullopt,
          "Prompts are synthetic tokens; with speculative decoding or mixture of experts, which are on or unknown here, real text may run faster or slower. "
          "State them with --fact flags.speculative_decoding=off and --fact model.experts=none."));
    }
  }
  std::vector<std::string> unknown;
  for (const Fact& fact : report.facts) {
    if (fact.source == FactSource::unknown) unknown.push_back(fact.key);
  }
  if (!unknown.empty() && !d.simulated) {
    report.doubts.push_back(
        make_doubt("facts_unknown", std::nullopt,
                   fmt::format("{} facts that decide the result are unknown ({}); state them with --fact KEY=VALUE.",
                               unknown.size(), fmt::join(unknown, ", "))));
  }
  if (report.bound && !report.bound->serial_tokens_per_s) {
    report.doubts.push_back(
        make_doubt("compute_unknown", std::nullopt,
                   "The peak compute rate of this hardware is unknown: the bound is that of memory alone."));
  }
}

void add_cache_doubts(RunReport& report) {
  bool measurable = false;
  for (LevelResult& level : report.levels) {
    if (!level.cache.measured_rate) continue;
    measurable = true;
    const double target =
        report.cache_state == "cold" && !level.cache.target_rate ? 0.0 : level.cache.target_rate.value_or(0);
    if (std::abs(*level.cache.measured_rate - target) > cache_tolerance) {
      level.doubts.push_back(make_doubt(
          "cache_off_target", level.ordinal,
          fmt::format(
              "Measured prefix cache hit rate {:.1f}% where the plan's own sharing is {:.1f}% with an unbounded cache.",
              100 * *level.cache.measured_rate, 100 * target)));
    }
  }
  if (!measurable && !report.levels.empty()) {
    report.doubts.push_back(make_doubt(
        "cache_unmeasurable", std::nullopt,
        "The target does not tell how many prompt tokens came from its prefix cache; prompts were fresh, but a hit rate could not be measured."));
  }
}

}  // namespace

void add_run_doubts(const RunDescription& description, RunReport& report) {
  if (report.levels.empty()) {
    report.doubts.push_back(
        make_doubt("load_not_delivered", std::nullopt, "No level was completed: nothing was measured."));
  }
  add_input_doubts(description, report);
  add_target_doubts(description, report);
  add_cache_doubts(report);
  add_variety_doubts(description, report);
  for (Doubt& doubt : curve_doubts(report.levels, report.curve, report.objectives))
    report.doubts.push_back(std::move(doubt));
}

}  // namespace loadline
