#pragma once
// The devices of a deployment: memory, bandwidth, peaks. Knows no model.

#include <optional>
#include <string>
#include <string_view>

#include "bound/weight_format.h"

namespace loadline {

/// `count` equal devices; every figure is of one device. A figure may be replaced by a measured one:
/// then say so in `source`.
struct Hardware {
  std::string name;
  int count = 1;
  double memory_bytes = 0;  ///< as the device reports it, else the maker's label
  double bandwidth_bytes_per_s = 0;
  std::optional<double> bf16_flops, fp8_flops, int8_flops, fp4_flops;  ///< per second, dense
  std::optional<double> link_bytes_per_s;                              ///< one way, to all peers together
  std::string source;
  std::string unverified;  ///< figures that no document confirmed, "" when none
};

/// "8xH100-SXM" or "H100-SXM" (one device); letters of either case. Error with the nearest names.
Hardware parse_hardware(std::string_view text);

/// The peak for that arithmetic, operations per second of one device; bf16's where the device lacks the
/// type (the numbers are widened before they are multiplied); absent where neither is known.
std::optional<double> peak_flops(const Hardware& hardware, ComputeType type);

}  // namespace loadline
