#pragma once
// How far what was drawn is from the log, and whether that is further than chance takes a fair sample.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"
#include "core/workload.h"

namespace loadline {

/// Two-sample Kolmogorov-Smirnov distance: the largest difference of the two distribution functions, at any length.
/// Exact, ties included; O(n log n). Both not empty.
double ks_distance(std::vector<std::int64_t> a, std::vector<std::int64_t> b);

/// The first `n` requests of `workload` against the `trace` it was drawn from.
///
/// Lengths are compared with the log's as they are, so scaling and cutting count; those that are unknown (0) are left
/// out on both sides. log_hit_rate: in the log's own order (workload/log_sharing.h). sample_hit_rate: what the prompts
/// as sent share, in their order, after Workload::history; of a log that only counts cached tokens too. uncut_hit_rate:
/// the same order with the log's own prompts, those left out among them.
SampleDistance sample_distance(const Trace& trace, const Workload& workload, std::size_t n);

/// One sentence with the numbers for each distance that is off: a KS distance above 1.63 sqrt((n + m) / (n m)) + 0.02
/// (the 1% critical value of Smirnov's test, and two points for rows that are not independent), hit rates that differ
/// by more than 0.04.
std::vector<std::string> reasons_for_doubt(const SampleDistance& distance);

}  // namespace loadline
