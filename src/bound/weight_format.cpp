#include "bound/weight_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"

namespace loadline {
namespace {

struct FormatRow {
  std::string_view spelling, name;
  double bytes;
  ComputeType compute;
};

constexpr double int4_group_128_bytes = 0.5 + 2.0 / 128 + 0.5 / 128;

// A 4-bit weight without a scale for its activations (int4) is widened before it is multiplied.
constexpr std::array<FormatRow, 23> format_rows = {{
    {"bf16", "bf16", 2, ComputeType::bf16},
    {"bfloat16", "bf16", 2, ComputeType::bf16},
    {"fp16", "fp16", 2, ComputeType::bf16},
    {"float16", "fp16", 2, ComputeType::bf16},
    {"half", "fp16", 2, ComputeType::bf16},
    {"fp32", "fp32", 4, ComputeType::bf16},
    {"float32", "fp32", 4, ComputeType::bf16},
    {"fp8", "fp8", 1, ComputeType::fp8},
    {"fp8_e4m3", "fp8", 1, ComputeType::fp8},
    {"fp8_e5m2", "fp8", 1, ComputeType::fp8},
    {"float8_e4m3fn", "fp8", 1, ComputeType::fp8},
    {"fp8-block", "fp8-block", 1 + 4.0 / 16384, ComputeType::fp8},
    {"fp8_block", "fp8-block", 1 + 4.0 / 16384, ComputeType::fp8},
    {"int8", "int8", 1, ComputeType::int8},
    {"w8a8", "int8", 1, ComputeType::int8},
    {"int4", "int4", int4_group_128_bytes, ComputeType::bf16},
    {"w4a16", "int4", int4_group_128_bytes, ComputeType::bf16},
    {"awq", "int4", int4_group_128_bytes, ComputeType::bf16},
    {"gptq", "int4", int4_group_128_bytes, ComputeType::bf16},
    {"mxfp8", "mxfp8", 1 + 1.0 / 32, ComputeType::fp8},
    {"mxfp4", "mxfp4", 0.5 + 1.0 / 32, ComputeType::fp4},
    {"nvfp4", "nvfp4", 0.5 + 1.0 / 16, ComputeType::fp4},
    {"fp4", "nvfp4", 0.5 + 1.0 / 16, ComputeType::fp4},
}};

std::string known_format_names() {
  std::string names;
  std::string_view last;
  for (const FormatRow& row : format_rows) {
    if (row.name == last) continue;
    last = row.name;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

}  // namespace

std::string_view name(ComputeType type) {
  constexpr std::array<std::string_view, 4> names = {"bf16", "fp8", "int8", "fp4"};
  return names.at(static_cast<std::size_t>(type));
}

bool is_weight_format(std::string_view text) {
  return std::ranges::find(format_rows, text, &FormatRow::spelling) != format_rows.end();
}

WeightFormat weight_format_named(std::string_view text, std::string_view option) {
  for (const FormatRow& row : format_rows) {
    if (row.spelling == text) return {std::string(row.name), row.bytes, row.compute};
  }
  throw Error(
      fmt::format("{}: \"{}\" is not a known number format; use one of {}", option, text, known_format_names()));
}

WeightFormat grouped_integer(int bits, int group_size, bool zero_point) {
  if (bits < 1 || bits > 64) {
    throw Error(
        fmt::format("config.json: quantization_config has weights of {} bits; state the weights with --weights", bits));
  }
  double bytes = bits / 8.0;
  if (group_size > 0) bytes += (2 + (zero_point ? bits / 8.0 : 0)) / group_size;
  return {fmt::format("int{}", bits), bytes, ComputeType::bf16};
}

bool is_plain(const WeightFormat& format) { return format.bytes >= 2; }

}  // namespace loadline
