#pragma once
// What a log holds, in numbers. docs/method.md and the keys of `loadline trace stats --json`.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "core/workload.h"

namespace loadline {

struct CompletionByPrompt {
  std::int64_t from = 0, to = 0;  ///< from < prompt <= to
  std::uint64_t n = 0;
  std::int64_t p50 = 0, p90 = 0;
};

struct ArrivalStats {
  double span_s = 0;
  std::optional<double> rate_per_s, gap_cv, dispersion_1s, dispersion_60s;
  std::uint64_t busiest_1s = 0, busiest_60s = 0;  ///< requests in the fullest bin
  std::uint64_t stamped = 0;                      ///< rows whose arrival is known: those that all of this is of
  std::uint64_t equal_stamps = 0;                 ///< of them, rows with the arrival of the one before
  bool coarse = false;
};

/// Hit rates of the log's own prefix sharing with an unbounded cache: what `prefix` makes.
struct PrefixProfile {
  SharingOrigin origin = SharingOrigin::unknown;
  std::uint32_t block_size = 0;
  std::uint64_t blocks = 0, unique_blocks = 0, roots = 0;
  double token_hit_rate = 0, token_hit_rate_full_blocks = 0, token_hit_rate_beyond_first_block = 0;
  double request_hit_rate_mean = 0, requests_with_hit = 0, requests_with_two_blocks = 0;
  struct LruPoint {
    double capacity_fraction = 0;
    std::uint64_t capacity_blocks = 0;
    double token_hit_rate = 0;
  };
  std::vector<LruPoint> lru;
  /// 1: exact. Below: unique_blocks, roots, the hit rates and the curve `lru` come from this share of the blocks (of
  /// the sessions), chosen by their ids; lru_error is the largest standard error of the curve's rates, hit_rate_error
  /// that of the others.
  double lru_sampled_share = 1;
  std::optional<double> lru_error, hit_rate_error;
  std::vector<std::string> remarks;  ///< sentences on what the numbers rest on, for people
};

struct SessionStats {
  bool declared = false;
  std::uint64_t count = 0;
  LengthSummary turns;
  double single_turn_share = 0;
  std::optional<double> think_time_p50_s, think_time_p90_s;
};

struct TraceStats {
  std::string source, format;
  std::uint64_t read = 0, rows = 0;
  std::map<std::string, Refused> refused;
  std::map<std::string, std::uint64_t> filtered;
  std::optional<double> time_resolution_ms;
  std::string time_zone;                       ///< as Trace::time_zone
  std::optional<Nanos> started;                ///< as Trace::started
  bool tokens_estimated = false;               ///< some lengths are characters times tokens_per_character
  std::optional<double> tokens_per_character;  ///< of the estimate
  std::vector<std::string> remarks;            ///< as Trace::remarks
  LengthSummary prompt_tokens, completion_tokens;
  std::optional<double> pearson, spearman;
  std::vector<CompletionByPrompt> completion_by_prompt;
  std::optional<ArrivalStats> arrivals;  ///< absent without times
  std::optional<PrefixProfile> sharing;  ///< absent where unknown
  std::optional<SessionStats> sessions;
};

}  // namespace loadline
