#pragma once
// The load line of a run: where p99 crosses the objective and what that carries. docs/method.md section 4.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  double slope_below = 0,
         slope_above = 0;             ///< of logit(share above the limit) in ln load, on both sides of the crossing
  std::size_t levels_near = 0;        ///< levels near enough to the crossing to decide it
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

/// Why a sweep took no more levels.
enum class SweepEnd : std::uint8_t {
  listed,       ///< all levels of the user's list were run
  curve,        ///< the curve is complete and no refinement was asked for
  precision,    ///< the capacity is known as closely as asked
  budget,       ///< the engine time is used up
  not_crossed,  ///< no load within reach crosses the objective: there is nothing to visit
};
std::string_view name(SweepEnd end);
std::optional<SweepEnd> sweep_end_named(std::string_view name);

struct Curve {
  std::optional<Capacity> closed, open;
  std::optional<Peak> peak;
};

/// One load of the curve, run upwards and downwards.
struct UpAndDown {
  double load = 0;
  std::uint32_t up = 0, down = 0;  ///< ordinals of the two levels
  std::string difference;          ///< what differs by more than chance, in words; empty: nothing
};

/// The capacities of one repetition of the sweep, from its own levels alone.
struct PassCapacity {
  std::uint32_t pass = 0;
  std::optional<Capacity> closed, open;
};

/// How the levels were chosen, what they cost and how closely they tell the capacity.
struct SweepOutcome {
  std::string mode = "listed";                   ///< listed | sweep | search
  std::optional<SweepEnd> closed_end, open_end;  ///< absent where that part was not asked for, or was cut off
  bool for_other_objective = false;              ///< the levels were chosen for another objective than the one reported
  double engine_s = 0;                           ///< of the target's time that all levels took
  std::optional<double> closed_budget_s,
      open_budget_s;  ///< absent where the user listed the levels, or asked for no such part
  double closed_engine_s = 0, open_engine_s = 0;  ///< of that, the levels in users and those in requests/s
  double open_precision_asked = 0;
  double precision_asked = 0;                              ///< of the closed capacity: half its interval, relative
  std::optional<double> closed_precision, open_precision;  ///< reached; absent where an end is
  std::uint32_t closed_visits = 0, open_visits = 0;
  std::vector<PassCapacity> passes;  ///< empty for a single pass
  /// Mean over the passes of the closed capacity in requests/s, in ln, with the 95% interval of Student; absent for
  /// fewer than two passes that have one.
  std::optional<Estimate> between_passes;
  std::vector<UpAndDown> up_and_down;
};

struct Sizing {
  std::optional<Estimate>
      replicas;  ///< busiest minute / capacity; whole deployments are rounded up by the reader's text
  std::optional<double> cost_per_million_output_tokens;
  std::string sentence;
};

}  // namespace loadline
