#pragma once
// The gaps between output chunks of R, pooled: ITL where every chunk carries one token, chunk gaps elsewhere.

#include <cstdint>
#include <span>
#include <vector>

#include "core/estimate.h"
#include "core/record.h"
#include "statistics/dependence.h"
#include "statistics/large_sample.h"
#include "statistics/percentile_interval.h"

namespace loadline {

/// Whether a chunk carries one token: over the succeeded `members` whose tokens were counted and whose chunks
/// arrived apart, tokens and chunks differ in sum by at most 1%, and where each chunk told its tokens, at most 1% of
/// the chunks told another number than one: chunks of none and of two make the same sum. False where no request tells.
bool chunks_are_tokens(const LevelRecords& records, std::span<const std::uint32_t> members);

/// Per request in order of due: its gaps, in units of 100 ns. A request that failed adds the gap that never ended: one
/// infinite value after those it received. Coalesced streams, censored and unsent requests are left out.
class GapSeries {
 public:
  GapSeries(const LevelRecords& records, std::span<const std::uint32_t> members);
  std::uint64_t size() const { return finite_ + infinite_count_; }
  /// Per request, how many gaps there are and how many are longer than `units` of 100 ns.
  std::vector<ExceedCount> longer_than(double units) const;
  /// Percentile and interval over all gaps, in units of 100 ns. Not empty.
  PercentileInterval interval(double p) const;
  /// In ms; n, mean and p50 to p99 are of the gaps of succeeded requests. Coalesced streams have none.
  LatencySummary summarise() const;

 private:
  std::vector<double> at_ranks(std::span<const std::uint64_t> ranks) const;

  std::vector<std::uint8_t> failed_;  // filled while gaps_ is made: stands before it
  std::vector<std::span<const std::uint32_t>> gaps_;
  std::uint64_t finite_ = 0, infinite_count_ = 0;
  LargeSample all_;
};

}  // namespace loadline
