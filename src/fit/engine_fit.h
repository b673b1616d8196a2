#pragma once
// Measured levels -> the parameters of the engine model that carries the same loads most alike, and how far it is to be
// believed. docs/method.md section 8. Knows no run file, no report and no clock.

#include <functional>
#include <string>
#include <vector>

#include "engine/parameters.h"
#include "fit/replayed_level.h"

namespace loadline {

/// What the levels tell of one parameter. `low`, `high`: 95%, from how sharply the fit turns worse around it and how
/// well it is met at all. Not told: the levels would look the same with half or twice the value (a share: 0.3 more
/// or less); then the value is where the fit happened to end.
struct ParameterEstimate {
  std::string key;  ///< as engine_flags names it
  double value = 0, low = 0, high = 0;
  bool is_told = false;
};

struct LevelAgreement {
  Level level;
  std::uint32_t requests = 0;
  LevelShape measured, simulated;
};

struct EngineFit {
  EngineParameters parameters;
  std::vector<ParameterEstimate> estimates;
  std::vector<LevelAgreement> levels;  ///< those it was fitted to, in order of load
  double error = 0;                    ///< root mean square of all ln(simulated / measured)
  int simulations = 0;                 ///< how many times the levels were simulated
};

/// `error` above this is a poor fit: then the engine is not of the model's kind.
inline constexpr double poor_fit_error = 0.10;
inline constexpr std::size_t least_levels_to_fit = 3, most_levels_to_fit = 8;
inline constexpr std::uint32_t most_requests_to_fit = 300;  ///< of each level

/// At least least_levels_to_fit levels; of more than most_levels_to_fit those spread over the loads. Minimises the sum
/// of squares of ln(simulated / measured) / spread over shape_figures and levels, from several starts. Deterministic.
/// `others`: what no level tells (block size). `say` hears what it is at, in words.
EngineFit fit_engine(std::vector<ReplayedLevel> levels, const EngineParameters& others,
                     const std::function<void(const std::string&)>& say);

}  // namespace loadline
