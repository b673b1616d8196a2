#pragma once
// How a number is stored: bytes for each weight with its scales, and the arithmetic it can run in.

#include <string>
#include <string_view>

namespace loadline {

/// The peak of a device that a format may reach; the device falls back to bf16 where it lacks the type.
enum class ComputeType { bf16, fp8, int8, fp4 };
std::string_view name(ComputeType type);

/// `bytes` includes the scales: int4 in groups of 128 is 0.5 + 2/128 (scale) + 0.5/128 (zero point).
struct WeightFormat {
  std::string name = "bf16";
  double bytes = 2;
  ComputeType compute = ComputeType::bf16;
};

/// "bf16", "fp16", "fp32", "fp8", "fp8-block", "int8", "int4", "mxfp8", "mxfp4", "nvfp4" and the field's
/// other spellings of them. Error naming `option` and the known names otherwise.
WeightFormat weight_format_named(std::string_view text, std::string_view option);

/// Whether weight_format_named knows the name.
bool is_weight_format(std::string_view text);

/// Integers of `bits` with a 16-bit scale, and a zero point of `bits` unless symmetric, for each group;
/// group_size <= 0: one scale a channel, not counted.
WeightFormat grouped_integer(int bits, int group_size, bool zero_point);

/// 16-bit and wider formats: an override to one of them means nothing is quantized.
bool is_plain(const WeightFormat& format);

}  // namespace loadline
