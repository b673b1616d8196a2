#pragma once
// One level, measured: what `measure` makes of LevelRecords and what curve and report read.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/doubt.h"
#include "core/estimate.h"
#include "core/level.h"
#include "core/outcome.h"
#include "core/record.h"
#include "core/workload.h"

namespace loadline {

enum class Stability : std::uint8_t { stabilised, decided, not_stabilised, saturated };
enum class Verdict : std::uint8_t { under, over, open };
std::string_view name(Stability stability);
std::string_view name(Verdict verdict);

/// Law of Little over the window: l = time-mean in flight, x = released requests of R per second
/// (failed ones too), w_s = mean of closed - sent. ratio = l / (x w).
struct LittlesLaw {
  double l = 0, x = 0, w_s = 0, ratio = 0;
};

/// The books of a level, over every released request: planned = ok + short + failures + censored + unsent.
struct Books {
  std::uint64_t planned = 0;
  std::array<std::uint64_t, outcome_count> by_outcome{};
  std::uint64_t of(Outcome o) const { return by_outcome[static_cast<std::size_t>(o)]; }
};

/// What the server, or the system, said of so many failed requests.
struct FailureMessage {
  Outcome outcome = Outcome::http_5xx;
  std::string message;
  std::uint64_t count = 0;
};

/// How one objective fared at this level: n of R judged (of its class, where it has one), k above the limit, tau as in
/// section 3 with I = 1 where above; share interval and verdict by Clopper-Pearson.
struct ObjectiveResult {
  Objective objective;
  std::uint64_t n = 0, above = 0;
  double tau = 1;
  double share_low = 0, share_high = 1;
  Verdict verdict = Verdict::open;
  /// The objective's percentile over the same requests, failed ones infinitely slow, with its interval: absent where
  /// infinite, and where the interval has no such end. n_eff is that of the percentile; absent where nothing was
  /// judged, or the level was imported without its requests.
  std::optional<double> value_ms, low_ms, high_ms, n_eff;
  std::optional<LatencySummary> of_class{};  ///< the metric over the class; absent for objectives of all requests
};

/// Prefix cache of the level: hit tokens / prompt tokens over the measured requests that told.
struct CacheResult {
  std::optional<double> target_rate;  ///< by the plan's own sharing
  std::optional<double> measured_rate;
  std::string source;  ///< "usage", "counters" or "" where not measurable
};

/// Shares of token deadlines met, over the requests of R whose tokens' times are known; failed ones count as 0.
/// docs/method.md section 1.
struct Fluidity {
  static constexpr double fluent = 0.9;  ///< a request with at least this share flowed
  std::uint64_t n = 0;
  double mean = 0, p10 = 0, p50 = 0;
  double fluent_share = 0;  ///< of the n
};

/// How many of the prompts that a level sent differ from one another.
struct PromptVariety {
  std::uint64_t sent = 0, unique = 0;
};

struct LevelBound {
  std::optional<double> achieved_fraction_of_batch_1, achieved_fraction_of_decode, achieved_fraction_of_request_ceiling;
  std::string binding;  ///< "memory" | "compute" | ""
};

struct LevelResult {
  std::uint32_t ordinal = 0;
  Level level;
  Stability stability = Stability::not_stabilised;
  std::string stability_reason;     ///< why it ended, one sentence
  Verdict verdict = Verdict::open;  ///< of all objectives together: over if one is, under if all are
  std::vector<ObjectiveResult> objectives;
  std::optional<double> queue_growth_per_s;
  double in_flight_mean = 0, in_flight_max = 0;
  std::optional<LittlesLaw> littles_law;

  double offered_requests_per_s = 0, sent_requests_per_s = 0, completed_requests_per_s = 0;
  double warmup_s = 0, measured_s = 0;
  double engine_s = 0;  ///< of the target's time that the level took in all: warm-up, window and cool-down
  std::uint64_t warmup_requests = 0, measured_requests = 0;  ///< measured_requests = |R|
  Books books;
  std::vector<FailureMessage> failure_messages;  ///< the most frequent ones of each level, at most 10
  std::uint64_t measured_failed = 0;             ///< failed requests of R

  LatencySummary ttft_ms, first_answer_ms, tpot_ms, itl_ms, chunk_gap_ms, e2e_ms, service_ttft_ms;
  RateSummary user_rate, end_to_end_rate;
  double aggregate_output_tokens_per_s = 0;
  /// False: over 1% of the successful answers with output in the window have no token count, so that the aggregate,
  /// what is per user of it and the goodput in tokens are unknown. Reports show them as absent.
  bool tokens_counted = true;
  /// The aggregate where there was a window and tokens were counted.
  std::optional<double> known_output_tokens_per_s() const {
    return measured_s > 0 && tokens_counted ? std::optional(aggregate_output_tokens_per_s) : std::nullopt;
  }
  /// `rate`, one of the means over the window, absent where there was none.
  std::optional<double> over_window(double rate) const { return measured_s > 0 ? std::optional(rate) : std::nullopt; }
  std::optional<double> aggregate_per_user_tokens_per_s;
  std::uint64_t failed_output_tokens = 0;  ///< received in the window by requests that failed later
  std::optional<double> goodput_requests_per_s, goodput_output_tokens_per_s, attainment;  ///< absent without limits

  std::optional<Fluidity> fluidity;  ///< absent without limits of TTFT and TPOT, and where chunks are not tokens
  std::optional<PromptVariety> prompts;

  CacheResult cache;
  LengthSummary prompt_tokens, completion_tokens;  ///< of succeeded requests of R, as counted
  LengthSummary planned_prompt_tokens, planned_completion_tokens;
  double completion_cv = 0;        ///< of n_out over R
  double mean_context_tokens = 0;  ///< mean over decode tokens of prompt + generated so far
  double in_decode_mean = 0;       ///< time-mean of requests between first and last token
  std::uint64_t coalesced_requests = 0;
  std::optional<double> lengths_obeyed_share;  ///< n_out = forced length, of succeeded requests of R

  /// Means over succeeded R that the request bound takes: see bound/.
  struct RequestMeans {
    double new_tokens = 0, cached_tokens = 0, out_tokens = 0;
  } request_means;
  /// (new, cached, out) of each succeeded request of R: the request bound averages over them.
  struct RequestShape {
    std::int64_t new_tokens = 0, cached_tokens = 0, out_tokens = 0;
  };
  std::vector<RequestShape> shapes;

  /// Number of requests -> digest of the first so many that were planned; empty where the run did not keep them.
  std::map<std::uint32_t, std::string> request_digests;

  ClientSelf client;
  std::optional<LevelBound> bound;
  std::vector<Doubt> doubts;
};

/// The summary of that metric.
const LatencySummary& latency_of(const LevelResult& level, Latency metric);

}  // namespace loadline
