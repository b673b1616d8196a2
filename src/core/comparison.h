#pragma once
// Two runs held against each other: what differs between them, and what that did. docs/method.md section 9.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/doubt.h"
#include "core/estimate.h"
#include "core/level.h"

namespace loadline {

/// Everything that may change a result, as key paths; an absent value is a fact that nobody could read.
using Manifest = std::map<std::string, std::optional<std::string>>;

/// One fact of both sides; a side that does not have it, or could not read it, is absent.
struct FactDifference {
  std::string key;
  std::optional<std::string> a, b;
};

enum class Comparability : std::uint8_t {
  repeat,      ///< nothing differs
  comparison,  ///< one fact differs: the variable
  refused,     ///< several differ, one cannot be read, or the two did different work
};
std::string_view name(Comparability comparability);

/// What two manifests have in common and what not. In every list quantization comes first.
struct ManifestDifference {
  Comparability comparability = Comparability::repeat;
  std::string variable;                    ///< the declared fact, or the one that was found to differ; may be empty
  std::vector<FactDifference> differing;   ///< the variable too
  std::vector<FactDifference> following;   ///< differ as well, and change with the variable by nature
  std::vector<FactDifference> unreadable;  ///< unknown on a side, so that nobody can say whether they are the same
  std::vector<std::string> assumed_equal;  ///< unknown on both sides, and no server tells them
  std::vector<std::string> reasons;        ///< why it is refused, one sentence each; empty where it is not
};

enum class ComparisonVerdict : std::uint8_t { faster, slower, equivalent, undecided };
std::string_view name(ComparisonVerdict verdict);

enum class RatioMetric : std::uint8_t {
  capacity_closed,
  capacity_open,
  request_rate,  ///< X of a closed loop at equal load
  ttft_p50,
  ttft_p99,
  tpot_p50,
  tpot_p99,
};
/// "capacity_closed", "ttft_p99", ...
std::string_view name(RatioMetric metric);
/// "p99 TTFT", "capacity of users who wait", for sentences and tables.
std::string_view words(RatioMetric metric);
/// True for capacities and rates; false for latencies.
bool more_is_faster(RatioMetric metric);

/// Where an interval comes from.
enum class RatioMethod : std::uint8_t {
  none,            ///< there is no interval
  student_pairs,   ///< Student over the logarithms of pairs of passes
  paired_batches,  ///< bootstrap over batches of requests, the same ones on both sides
};
std::string_view name(RatioMethod method);

/// B over A in one metric, with its 95% interval.
struct Ratio {
  RatioMetric metric = RatioMetric::capacity_closed;
  std::optional<Level> level;        ///< the load at which both were measured; absent for capacities
  std::optional<double> a, b;        ///< geometric means over the pairs: requests/s, or ms
  std::optional<Estimate> b_over_a;  ///< absent: see `absence`
  RatioMethod method = RatioMethod::none;
  std::uint32_t n = 0;                                       ///< pairs of passes, or batches
  std::uint64_t requests = 0;                                ///< measured on both sides; 0 for capacities
  ComparisonVerdict verdict = ComparisonVerdict::undecided;  ///< of B
  std::string absence;                                       ///< why there is no ratio or no interval, a clause
};

/// "95%, Student over 4 pairs of passes"; where there is no interval, why.
std::string interval_words(const Ratio& ratio);

struct Comparison {
  std::string version, command;
  std::string a, b;  ///< what each side is, in words: a folder or a target
  ManifestDifference manifest;
  bool forced = false;        ///< refused, and its numbers are shown all the same
  std::vector<Ratio> ratios;  ///< the one that decides first
  ComparisonVerdict verdict = ComparisonVerdict::undecided;
  std::uint32_t passes = 0;                 ///< pairs of whole passes
  std::optional<std::uint32_t> more_pairs;  ///< about so many more would decide it; absent: decided, or nobody can say
  std::uint64_t bootstrap_seed = 0;
  std::uint32_t resamples = 0;  ///< 0: no interval is a bootstrap's
  std::vector<std::string> remarks;
  std::vector<Doubt> doubts;
  bool valid = true;
  std::string sentence;
};

/// What a gate decided of a run against its baseline.
enum class GateOutcome : std::uint8_t { passed, failed, undecided };
std::string_view name(GateOutcome outcome);

struct Gate {
  double slower_than = 0.03;  ///< the loss that is allowed, a share
  bool strict = false;        ///< undecided fails
  GateOutcome outcome = GateOutcome::undecided;
  bool pass = false;
  std::string sentence;
};

}  // namespace loadline
