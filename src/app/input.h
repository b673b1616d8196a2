#pragma once
// Where the traffic comes from: a log, or a published distribution that is stated as an assumption.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/run_spec.h"
#include "core/trace.h"
#include "core/trace_stats.h"
#include "core/workload.h"
#include "workload/demonstrations.h"

namespace loadline {

struct Input {
  std::string source;                ///< as the user named it
  std::string assumption;            ///< empty for a user's log
  std::optional<Trace> trace;        ///< absent for a built-in
  std::string builtin;               ///< its name, else empty
  std::optional<TraceStats> log;     ///< of the trace
  double mean_completion = 0;        ///< of the workload as it is sent, scaled and cut
  std::optional<MeanLengths> means;  ///< of the input as it would be drawn, where a demonstration sends them
};

/// Reads what --trace names (several files are one log); prints what was recognised and refused to standard
/// error unless `quiet`.
Input open_input(const RunSpec& spec, bool quiet);

/// Lengths that were measured as an input: rows without times, sharing nothing. `source` names them.
Input input_of_requests(std::vector<TraceRow> rows, const std::string& source, const RunSpec& spec);

/// The log's own mean rate, requests/s; absent without times.
std::optional<double> log_rate_per_s(const Input& input);

/// The requests of level `ordinal`, decided by the seed. `window`: how many of them will be sent at most, as far as is
/// known (0: all).
Workload draw_requests(const Input& input, const RunSpec& spec, std::uint32_t ordinal, std::size_t count,
                       std::size_t window = 0);

}  // namespace loadline
