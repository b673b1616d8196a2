#pragma once
// The traffic without its times.

#include <cstdint>
#include <map>
#include <string>
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
  quantiles,  ///< a published joint quantile table (an assumption)
  lognormal,  ///< the worked example of docs/method.md
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
  std::uint32_t passes =
      1;  ///< replay: how often the log was begun; rows: most draws of one row. Sharing never crosses a pass
};

}  // namespace loadline
