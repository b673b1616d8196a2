#pragma once
// What the hardware could do. docs/method.md section 5.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// The bound at the operating point. What rests on unknown compute is absent.
struct Bound {
  std::vector<std::pair<std::string, std::string>> inputs;   ///< every input, printed, with its unit
  double batch_1_tokens_per_s = 0;
  double decode_tokens_per_s = 0;
  double request_ceiling_tokens_per_s = 0;
  std::optional<double> serial_tokens_per_s;      ///< no overlap of memory and compute
  std::optional<double> kv_capacity_requests;
  std::string binding;                             ///< memory | compute
  std::optional<double> achieved_fraction_of_batch_1, achieved_fraction_of_decode, achieved_fraction_of_request_ceiling;
  std::string diagnosis;                           ///< one sentence
};

}  // namespace loadline
