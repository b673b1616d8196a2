#pragma once
// The whole deliverable as one value: app assembles it, report draws it, and nothing else is drawn.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/bound.h"
#include "core/calibration.h"
#include "core/curve.h"
#include "core/doubt.h"
#include "core/fact.h"
#include "core/level.h"
#include "core/level_result.h"
#include "core/prediction.h"
#include "core/trace_stats.h"
#include "core/workload.h"

namespace loadline {

/// When the client gave a request up, and how often it tried again: every limit of a run over HTTP.
struct ClientLimits {
  double connect_s = 0, first_byte_s = 0, idle_s = 0, total_s = 0;  ///< engine time
  std::uint32_t retries = 0;
  std::string balance;  ///< how requests went to several servers; empty for one
};

struct RunReport {
  // How it came to be.
  std::string version, command, plan_yaml, started_utc;
  std::uint64_t seed = 0;
  std::string salt;
  double engine_speed = 1;  ///< engine time / wall time; 1 for every real target
  std::string host_cpu;
  std::uint32_t client_threads = 1;
  std::optional<ClientLimits> client_limits;     ///< absent for a run in virtual time
  std::optional<ClientCalibration> calibration;  ///< what the client was proven to carry on its machine
  std::string target;         ///< what was measured, in words: a URL without credentials, or which engine of ours
  bool virtual_time = false;  ///< no wall clock took part
  std::optional<Prediction> prediction;  ///< nothing of this report was measured; absent: it was
  bool interrupted = false;
  std::string interruption;  ///< what was left out and why; empty when the run came to its end

  // The decision.
  std::string decision = "capacity";  ///< capacity | interactive | batch | comparison
  std::string primary_metric;
  std::vector<Objective> objectives;
  GoodputLimits goodput_limits;

  // What was sent to what.
  std::vector<Fact> facts;               ///< with unknowns
  std::string input_source, assumption;  ///< assumption empty for a user's log
  std::optional<TraceStats> log;
  LengthSummary log_prompt_tokens, log_completion_tokens;
  LengthSummary sent_prompt_tokens, sent_completion_tokens;
  std::optional<double> prompt_ks, completion_ks;  ///< two-sample KS distance log against sent
  std::optional<double> prefix_sharing_rate;
  std::string sampler;                   ///< how the log was drawn from: name(Sampler)
  std::optional<SampleDistance> sample;  ///< the requests that were released, against the log; absent without a log
  std::uint64_t cut_prompts = 0, dropped_prompts = 0;  ///< drawn, and longer than --max-prompt-tokens
  std::optional<double> template_tokens;  ///< chat template: prompt tokens the server counts above those planned, mean
  std::string content;                    ///< "synthetic" or "log": whose words the prompts are
  std::optional<double> busiest_minute_requests_per_s;
  /// "drawn": as the input has it; "mean": every request of mean lengths; "repeated": one prompt, over and over.
  std::string workload = "drawn";
  std::string reading;      ///< what part of each window was read again; empty: all of it
  std::string cache_state;  ///< cold | warm | as-found
  std::optional<double> cache_target_rate, cache_measured_rate;

  // What came out.
  std::vector<LevelResult> levels;
  Curve curve;
  SweepOutcome sweep;
  std::optional<Capacity> operating_point;
  Sizing sizing;
  std::optional<Bound> bound;
  std::vector<Doubt> doubts;  ///< of the run; those of levels stand in the levels
  bool valid = true;
  std::string sentence;                    ///< the answer
  std::vector<std::string> bound_missing;  ///< what would be needed for a bound, where there is none
};

}  // namespace loadline
