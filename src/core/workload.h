#pragma once
// The traffic without its times.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/request.h"
#include "core/units.h"

namespace loadline {

/// Quantiles of a length distribution, by nearest rank, in tokens.
struct LengthSummary {
  std::uint64_t n = 0;
  std::int64_t min = 0, p1 = 0, p5 = 0, p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0, p99_9 = 0,
               max = 0;
  double mean = 0;
};
/// Summary of the lengths in any order; n = 0 gives zeros that must not be printed.
LengthSummary summarise_lengths(std::vector<std::int64_t> lengths);

/// A source of requests of any number, decided by the seed: workload/draw.h.
enum class Sampler : std::uint8_t {
  rows,       ///< independent rows of the log, prompt and completion jointly
  replay,     ///< a contiguous window of the log, in order
  sessions,   ///< whole sessions, or whole families of prompts that share a beginning
  quantiles,  ///< a published joint quantile table (an assumption)
  lognormal,  ///< the worked example of docs/method.md
};

/// The name in options and reports: "rows", "replay", "sessions", "quantiles", "lognormal".
std::string_view name(Sampler sampler);
std::optional<Sampler> sampler_named(std::string_view name);

/// How far the drawn requests are from the log they were drawn from. What the log does not tell is absent.
struct SampleDistance {
  std::optional<double> prompt_ks, completion_ks;  ///< two-sample Kolmogorov-Smirnov distances, 0 to 1
  std::uint64_t log_prompts = 0, sample_prompts = 0, log_completions = 0, sample_completions = 0;  ///< lengths compared
  SharingOrigin sharing = SharingOrigin::unknown;       ///< what the log's hit rate is known from
  std::optional<double> log_hit_rate, sample_hit_rate;  ///< token hit rates, unbounded cache; absent: sharing unknown
  std::optional<double> uncut_hit_rate;  ///< of the sample before prompts over the limit were cut or dropped; absent:
                                         ///< none was
};

/// A row that was drawn and left out.
struct DroppedPrompt {
  std::uint64_t row = 0;  ///< in the trace
  std::uint64_t sharing_namespace = 0;
  std::uint64_t place = 0;  ///< index of the request drawn next
};

/// The requests of one level, in order, and where they come from.
struct Workload {
  std::string source;      ///< file or "builtin:NAME"
  std::string assumption;  ///< empty when a user's log; else the sentence that says it is an assumption
  Sampler sampler = Sampler::rows;
  std::vector<Request> requests;
  std::vector<std::uint64_t> blocks;
  std::uint32_t block_size = 0;
  double scale_lengths = 1;       ///< both lengths of the source were multiplied by this
  std::uint64_t cut_prompts = 0;  ///< requests whose prompt was longer than allowed, and was cut
  std::uint64_t cut_completions = 0;
  std::uint64_t dropped_prompts = 0;   ///< drawn and left out: longer than allowed, or the rest of such a session
  std::vector<DroppedPrompt> dropped;  ///< they, in the order drawn
  std::vector<Request> history;        ///< replay: the requests before the window, in order, that fill a warm cache
  /// replay, sessions: how often the log was begun; rows: most draws of one row. Sharing never crosses a pass.
  std::uint32_t passes = 1;
};

}  // namespace loadline
