#include "fit/free_parameters.h"

#include <algorithm>
#include <cmath>

namespace loadline {

const FreeParameters& free_parameters() {
  static const FreeParameters rows = {{{"fixed_step_s", &EngineParameters::fixed_step, 1e-5, 1},
                                       {"weight_read_s", &EngineParameters::weight_read, 1e-5, 1},
                                       {"kv_read_s", &EngineParameters::kv_read, 1e-12, 1e-6},
                                       {"token_compute_s", &EngineParameters::token_compute, 1e-8, 1e-2},
                                       {"overlap", &EngineParameters::overlap, 0, 1, true},
                                       {"sequence_step_s", &EngineParameters::sequence_step, 1e-8, 1e-3},
                                       {"token_budget", &EngineParameters::token_budget, 16, 65536},
                                       {"max_sequences", &EngineParameters::max_sequences, 1, 1e5},
                                       {"kv_tokens", &EngineParameters::kv_tokens, 1e4, 1e9}}};
  return rows;
}

double value_of(const FreeParameter& parameter, const EngineParameters& parameters) {
  return std::visit(
      [&](auto member) -> double {
        if constexpr (std::is_same_v<decltype(member), Seconds EngineParameters::*>)
          return (parameters.*member).count();
        else
          return static_cast<double>(parameters.*member);
      },
      parameter.member);
}

void set_value(const FreeParameter& parameter, double value, EngineParameters& parameters) {
  const double inside = std::clamp(value, parameter.least, parameter.most);
  std::visit(
      [&](auto member) {
        if constexpr (std::is_same_v<decltype(member), Seconds EngineParameters::*>)
          parameters.*member = Seconds(inside);
        else if constexpr (std::is_same_v<decltype(member), double EngineParameters::*>)
          parameters.*member = inside;
        else
          parameters.*member = std::llround(inside);
      },
      parameter.member);
}

double coordinate_of(const FreeParameter& parameter, double value) {
  return parameter.is_share ? value : std::log(std::clamp(value, parameter.least, parameter.most));
}

double value_at(const FreeParameter& parameter, double coordinate) {
  return parameter.is_share ? coordinate : std::exp(coordinate);
}

std::vector<double> coordinates_of(const EngineParameters& parameters) {
  std::vector<double> coordinates;
  for (const FreeParameter& one : free_parameters())
    coordinates.push_back(coordinate_of(one, value_of(one, parameters)));
  return coordinates;
}

EngineParameters parameters_at(const std::vector<double>& coordinates, EngineParameters others) {
  for (std::size_t i = 0; i < free_parameter_count; ++i) {
    const FreeParameter& one = free_parameters()[i];
    set_value(one, value_at(one, coordinates[i]), others);
  }
  return others;
}

}  // namespace loadline
