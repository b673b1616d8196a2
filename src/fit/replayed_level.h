#pragma once
// A measured level as a load that the engine model can carry again: the same requests in the same order, and the same
// of them measured. What a fit compares. Knows no parameters' names and no minimiser.

#include <array>
#include <cstdint>
#include <optional>

#include "core/level.h"
#include "core/plan.h"
#include "core/record.h"
#include "engine/parameters.h"

namespace loadline {

/// What a level looks like to a fit; times in ms.
struct LevelShape {
  double output_tokens_per_s = 0, ttft_p50 = 0, ttft_p90 = 0, tpot_p50 = 0, tpot_p90 = 0, e2e_p50 = 0;
  friend bool operator==(const LevelShape&, const LevelShape&) = default;
};

/// A figure of the shape, how exactly a level of a few hundred requests tells it (standard error, in ln), and its name.
struct ShapeFigure {
  const char* name;
  double LevelShape::* member;
  double spread;
};
inline constexpr std::array<ShapeFigure, 6> shape_figures = {
    {{"output tokens/s", &LevelShape::output_tokens_per_s, 0.02},
     {"TTFT p50", &LevelShape::ttft_p50, 0.05},
     {"TTFT p90", &LevelShape::ttft_p90, 0.08},
     {"TPOT p50", &LevelShape::tpot_p50, 0.02},
     {"TPOT p90", &LevelShape::tpot_p90, 0.03},
     {"E2E p50", &LevelShape::e2e_p50, 0.04}}};

struct ReplayedLevel {
  Plan plan;
  std::uint32_t first = 0, count = 0;  ///< serials [first, first + count) are measured
  LevelShape measured;
  double most_in_flight = 0;
};

/// The first `most` measured requests of a complete level and all before and around them. Absent where it has too few
/// answers with times of tokens (30), or does not tell how long its prompts and answers are.
std::optional<ReplayedLevel> replayed_level(LevelRecords records, std::uint32_t most);

/// The shape that an engine of these parameters gives the same load; absent where it answers none of it.
std::optional<LevelShape> simulated_shape(const ReplayedLevel& level, const EngineParameters& parameters);

}  // namespace loadline
