#pragma once
// The requests that two levels of the same plan have in common: the same request, sent to A and to B.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/level.h"
#include "core/record.h"

namespace loadline {

/// What one request saw on one side. Times in ms; infinite where it failed.
struct RequestSeen {
  double ttft_ms = 0;
  std::optional<double> tpot_ms, e2e_ms;  ///< absent where undefined
  double residence_ms = 0;                ///< due to closed: how long it kept its user
  bool succeeded = false;
  std::optional<std::int64_t> completion_tokens;
};

struct PairedRequest {
  RequestSeen a, b;
};

/// One load in one pass.
struct LevelPair {
  Level level;
  std::vector<PairedRequest> requests;  ///< in order of release
};

/// The requests that are measured (due inside the window, and ended or failed) on both sides: both levels were released
/// from the same plan, so they are matched by their place in the order of release, or by conversation and turn where
/// there are later turns, and by the lengths that were planned. Requests due at the very end of a window of a fixed
/// number of them, which a report leaves out, are kept: the other side has them too.
LevelPair pair_requests(const LevelRecords& a, const LevelRecords& b);

/// The measured requests of one level, in order of release.
std::vector<RequestSeen> measured_requests(const LevelRecords& records);

/// Consecutive batches of `count` items: [begin, end) of each. 20 batches from 400 items on, 10 from 100 on, else none:
/// latencies of a busy server are dependent, batches of some length hardly are.
struct RequestRange {
  std::size_t begin = 0, end = 0;
};
std::vector<RequestRange> batches_of(std::size_t count);

}  // namespace loadline
