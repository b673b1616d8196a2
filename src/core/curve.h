#pragma once
// The load line of a run: where p99 crosses the objective and what that carries. docs/method.md section 4.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/estimate.h"
#include "core/level.h"

namespace loadline {

enum class Crossing : std::uint8_t { bracketed, above_last_level, below_first_level };
std::string_view name(Crossing crossing);

/// The drawn curve's crossing: p99 made non-decreasing, interpolated in logarithms.
struct Interpolated {
  double load = 0, requests_per_s = 0, output_tokens_per_s = 0;
};

/// Capacity at the operating point: of the closed loop (load = users) or of the open loop (load = requests/s).
/// Where the crossing is not bracketed, only one end of requests_per_s exists and `estimate_exists` is false.
struct Capacity {
  LevelKind kind = LevelKind::concurrency;
  Crossing crossing = Crossing::bracketed;
  bool estimate_exists = false;
  Estimate load, requests_per_s, output_tokens_per_s;
  std::size_t binding_objective = 0;  ///< index in the run's objectives: the tightest
  std::optional<Interpolated> interpolated;
  std::optional<double> bracket_low, bracket_high;  ///< highest load `under`, lowest above it `over`
};

/// The largest aggregate seen, and how many times the objective its p99 was (first latency objective of TTFT, TPOT,
/// E2E).
struct Peak {
  double aggregate_output_tokens_per_s = 0;
  double at = 0;
  std::uint32_t ordinal = 0;
  std::optional<double> p99_ms;  ///< of the objective's metric
  std::optional<double> slo_multiple;
};

struct Curve {
  std::optional<Capacity> closed, open;
  std::optional<Peak> peak;
};

struct Sizing {
  std::optional<Estimate>
      replicas;  ///< busiest minute / capacity; whole deployments are rounded up by the reader's text
  std::optional<double> cost_per_million_output_tokens;
  std::string sentence;
};

}  // namespace loadline
