#pragma once
// The bound beside a measured level, and what the achieved fractions say.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bound/roofline.h"
#include "core/bound.h"
#include "core/level_result.h"

namespace loadline {

/// What a level tells about its load.
struct MeasuredLoad {
  double batch = 1;                 ///< requests in decode, time-mean; at least 1
  double context = 0;               ///< mean context of the decoded tokens
  std::vector<WorkShape> requests;  ///< of R: the means of M and C are taken over them
  double aggregate_output_tokens_per_s = 0;
};
/// From the level's shapes, or from its means where it kept no shapes. Absent where no request succeeded or tokens
/// were not counted.
std::optional<MeasuredLoad> measured_load(const LevelResult& level);

/// The bound of `terms` at the load. `kv_capacity_requests` and `inputs` are passed through.
Bound bound_at(const RooflineTerms& terms, const MeasuredLoad& load, std::optional<double> kv_capacity_requests,
               std::vector<std::pair<std::string, std::string>> inputs);

/// The bound of a deployment at a measured level; absent where no request of it succeeded.
std::optional<Bound> bound_at(const ModelFacts& model, const Hardware& hardware, const LevelResult& level,
                              double overhead_bytes = 0);
/// The embedded engine's own bound; hardware "simulated".
std::optional<Bound> bound_at(const EngineNumbers& engine, const LevelResult& level);

/// The fractions of `bound` as a level carries them.
LevelBound level_bound(const Bound& bound);

/// What the fractions say, in one sentence. Above the request ceiling is a wrong fact, never a record.
std::string diagnosis(double fraction_of_ceiling, double fraction_of_batch_1);

}  // namespace loadline
