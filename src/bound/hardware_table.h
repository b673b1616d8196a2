#pragma once
// The built-in devices, one row each.

#include <span>
#include <string_view>

namespace loadline {

/// A figure that no source gives; never a real one.
inline constexpr double hardware_unknown = -1;

struct HardwareRow {
  std::string_view name, vendor;
  double memory_gb, memory_bytes, bandwidth_gb_s;
  double bf16_tflops, fp8_tflops, fp4_tflops, int8_tflops;
  double link_gb_s;
  std::string_view source;
  std::string_view unverified;  ///< names of the figures that no document confirmed
};

std::span<const HardwareRow> hardware_table();

}  // namespace loadline
