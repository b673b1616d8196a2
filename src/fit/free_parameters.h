#pragma once
// The parameters that a fit may move, as numbers a minimiser can work with.

#include <array>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/parameters.h"

namespace loadline {

/// One free parameter. Its coordinate is the logarithm of its value (seconds, tokens, sequences), or the value itself
/// for a share.
struct FreeParameter {
  std::string_view key;  ///< as engine_flags names it
  std::variant<Seconds EngineParameters::*, double EngineParameters::*, std::int64_t EngineParameters::*> member;
  double least, most;  ///< of the value
  bool is_share = false;
};

inline constexpr std::size_t free_parameter_count = 9;
using FreeParameters = std::array<FreeParameter, free_parameter_count>;
const FreeParameters& free_parameters();

double value_of(const FreeParameter& parameter, const EngineParameters& parameters);
void set_value(const FreeParameter& parameter, double value, EngineParameters& parameters);
double coordinate_of(const FreeParameter& parameter, double value);
double value_at(const FreeParameter& parameter, double coordinate);

/// All coordinates, in the order of free_parameters().
std::vector<double> coordinates_of(const EngineParameters& parameters);
EngineParameters parameters_at(const std::vector<double>& coordinates, EngineParameters others);

}  // namespace loadline
