#include "engine/parameters.h"

#include <fmt/format.h>

#include <charconv>
#include <variant>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

using ParameterMember = std::variant<Seconds EngineParameters::*, double EngineParameters::*,
                                     std::int64_t EngineParameters::*, bool EngineParameters::*>;
struct ParameterRow {
  std::string_view key;
  ParameterMember member;
  double least, most;
};

constexpr double any_amount = 1e15;
const ParameterRow parameter_rows[] = {
    {"fixed_step_s", &EngineParameters::fixed_step, 0, 60},
    {"weight_read_s", &EngineParameters::weight_read, 0, 60},
    {"kv_read_s", &EngineParameters::kv_read, 0, 1},
    {"token_compute_s", &EngineParameters::token_compute, 0, 60},
    {"overlap", &EngineParameters::overlap, 0, 1},
    {"sequence_step_s", &EngineParameters::sequence_step, 0, 60},
    {"token_budget", &EngineParameters::token_budget, 1, 1e6},
    {"max_sequences", &EngineParameters::max_sequences, 1, 1e6},
    {"kv_tokens", &EngineParameters::kv_tokens, 1, 1e10},
    {"block_size", &EngineParameters::block_size, 1, 1e6},
    {"max_model_tokens", &EngineParameters::max_model_tokens, 2, 1e9},
    {"prefix_cache", &EngineParameters::prefix_cache, 0, any_amount},
};

double parameter_number(const EngineParameters& parameters, const ParameterRow& row) {
  return std::visit(
      [&](auto member) -> double {
        if constexpr (std::is_same_v<decltype(member), Seconds EngineParameters::*>)
          return (parameters.*member).count();
        else
          return static_cast<double>(parameters.*member);
      },
      row.member);
}

std::string parameter_text(const EngineParameters& parameters, const ParameterRow& row) {
  return std::visit(
      [&](auto member) -> std::string {
        if constexpr (std::is_same_v<decltype(member), Seconds EngineParameters::*>) {
          return fmt::format("{}", (parameters.*member).count());
        } else {
          return fmt::format("{}", parameters.*member);
        }
      },
      row.member);
}

template <class Number>
Number parameter_value(std::string_view key, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw Error(fmt::format("engine parameter {}: '{}' is not a number it can take", key, text));
  }
  return value;
}

bool parameter_switch(std::string_view key, std::string_view text) {
  if (text == "true" || text == "on" || text == "1") return true;
  if (text == "false" || text == "off" || text == "0") return false;
  throw Error(fmt::format("engine parameter {}: '{}' is neither true nor false", key, text));
}

}  // namespace

void validate(const EngineParameters& parameters) {
  for (const ParameterRow& row : parameter_rows) {
    const double value = parameter_number(parameters, row);
    if (value >= row.least && value <= row.most) continue;  // NaN is neither
    throw Error(fmt::format("engine parameter {} is {}: it must lie between {} and {}", row.key,
                            parameter_text(parameters, row), row.least, row.most));
  }
  if (parameters.kv_blocks() < 1) {
    throw Error(fmt::format("engine parameter kv_tokens is {}: it must hold at least one block of {} tokens",
                            parameters.kv_tokens, parameters.block_size));
  }
  const double shortest = (parameters.fixed_step + parameters.weight_read).count();
  if (shortest < 1e-6) {
    throw Error(
        "engine parameters fixed_step_s and weight_read_s: a step must last at least a microsecond; raise one of them");
  }
}

std::vector<std::pair<std::string, std::string>> engine_flags(const EngineParameters& parameters) {
  std::vector<std::pair<std::string, std::string>> flags;
  for (const ParameterRow& row : parameter_rows) flags.emplace_back(row.key, parameter_text(parameters, row));
  return flags;
}

void set_engine_parameter(EngineParameters& parameters, std::string_view key, std::string_view value) {
  for (const ParameterRow& row : parameter_rows) {
    if (row.key != key) continue;
    std::visit(
        [&](auto member) {
          using Member = decltype(member);
          if constexpr (std::is_same_v<Member, bool EngineParameters::*>)
            parameters.*member = parameter_switch(key, value);
          else if constexpr (std::is_same_v<Member, std::int64_t EngineParameters::*>)
            parameters.*member = parameter_value<std::int64_t>(key, value);
          else if constexpr (std::is_same_v<Member, double EngineParameters::*>)
            parameters.*member = parameter_value<double>(key, value);
          else
            parameters.*member = Seconds(parameter_value<double>(key, value));
        },
        row.member);
    return;
  }
  std::string known;
  for (const ParameterRow& row : parameter_rows) known += fmt::format("{}{}", known.empty() ? "" : ", ", row.key);
  throw Error(fmt::format("engine parameter '{}' is unknown; known are {}", key, known));
}

std::string parameters_hash(const EngineParameters& parameters) {
  std::uint64_t hash = 0;
  for (const auto& [key, value] : engine_flags(parameters)) {
    for (const char c : key + "=" + value + "\n") hash = mix(hash, static_cast<unsigned char>(c));
  }
  return fmt::format("{:08x}", hash >> 32);
}

bool can_serve(const EngineParameters& parameters, std::int64_t prompt, std::int64_t output) {
  if (prompt < 1 || output < 1) return false;
  const std::int64_t tokens = prompt + output;
  // The last token is emitted and never read again: it needs no place in the memory.
  return tokens <= parameters.max_model_tokens && tokens - 1 <= parameters.kv_blocks() * parameters.block_size;
}

}  // namespace loadline
