#pragma once
// What a run was, beside its requests: written to run.sqlite as key-values when it starts and ends, read
// back by `report`. Everything a report shows comes from here, from the facts, and from the records.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/objectives.h"
#include "core/calibration.h"
#include "core/doubt.h"
#include "core/fact.h"
#include "core/level_result.h"
#include "core/run_report.h"
#include "core/trace_stats.h"
#include "core/workload.h"

namespace loadline {

/// What a bound is computed from.
struct BoundBasis {
  std::string kind = "none";  ///< none | simulated | model
  // simulated: the embedded engine's own, docs/method.md section 5
  double weights_read_s = 0, kv_read_s_per_token = 0, compute_s_per_token = 0, kv_tokens = 0;
  // model: the content of config.json, so that the run folder stands alone
  std::string model_config, hardware, weights, kv;
};

/// What is known of a level beside its records.
struct LevelPlanned {
  /// Token hit rate of the planned prompts with an unbounded cache: of the requests due in the window, after those sent
  /// before them; and of the whole level. Absent where nobody knows what prompts share.
  std::optional<double> cache_target_rate, cache_target_rate_whole;
  std::optional<double> cache_counted_rate;              ///< measured by the target's counters over the whole level
  std::uint64_t released = 0;                            ///< requests that were sent
  std::optional<SampleDistance> sample;                  ///< of those, against the log
  std::optional<PromptVariety> prompts;                  ///< of those
  std::map<std::uint32_t, std::string> request_digests;  ///< of the plan, as `request_digests` makes them
};

struct RunDescription {
  std::string version, command, plan_yaml, started_utc, target, host_cpu, salt, cache_state;
  std::uint64_t seed = 0;
  double engine_speed = 1;
  std::uint32_t client_threads = 1;
  std::optional<ClientLimits> client_limits;
  std::optional<ClientCalibration> calibration;  ///< of the client on this machine; absent without one
  bool simulated = false, virtual_time = false, lengths_forced = true;
  std::optional<Prediction> prediction;  ///< of a run that predicts

  std::string input_source, assumption;
  std::optional<TraceStats> log;  ///< its lengths, rows, sharing and arrivals, without what no report shows
  std::map<std::int64_t, std::uint64_t> log_prompt_counts, log_completion_counts;  ///< length -> rows
  double scale_lengths = 1;
  std::uint64_t cut_prompts = 0, dropped_prompts = 0;
  std::uint64_t repeated_texts = 0;  ///< requests with a text that the run had sent before
  std::string sampler, content = "synthetic", workload = "drawn";  ///< RunReport::workload
  std::optional<double> template_tokens;  ///< what the chat template adds to a prompt, as measured before the load
  double mean_completion = 0;
  ClassNames class_names;  ///< of sessions and clients that the run's objectives name

  BoundBasis bound;
  std::optional<double> price_per_hour;
  std::map<std::uint32_t, LevelPlanned> planned;  ///< by ordinal
  std::optional<SweepEnd> closed_end, open_end;   ///< why the sweep ended; absent while it runs, and where cut off
  std::vector<Fact> facts;                        ///< stored in the table `fact`
  std::vector<Doubt> doubts;                      ///< found while running; stored in the table `doubt`

  /// Mean completion tokens of the workload where lengths are prescribed and obeyed.
  std::optional<double> prescribed_mean_completion() const {
    return lengths_forced && mean_completion > 0 ? std::optional(mean_completion) : std::nullopt;
  }
};

/// Key-values for the table `run`, and back. A missing or malformed value is an Error naming its key.
std::map<std::string, std::string> to_values(const RunDescription& description);
RunDescription description_from(const std::map<std::string, std::string>& values);

}  // namespace loadline
