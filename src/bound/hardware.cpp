#include "bound/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>
#include <vector>

#include "bound/hardware_table.h"
#include "core/error.h"
#include "core/nearest_name.h"

namespace loadline {
namespace {

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

/// Names that start with what was asked come before those that only look like it.
std::string nearest_names(std::string_view asked) {
  const std::string wanted = folded(asked);
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (const HardwareRow& row : hardware_table()) {
    const std::string candidate = folded(row.name);
    const bool begins = !wanted.empty() && candidate.starts_with(wanted);
    ranked.emplace_back(begins ? 0 : 1 + edit_distance(wanted, candidate), row.name);
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, std::string_view>::first);
  std::string names;
  for (std::size_t i = 0; i < ranked.size() && i < 5; ++i) {
    names += (names.empty() ? "" : ", ") + std::string(ranked[i].second);
  }
  return names;
}

/// "8xNAME" -> 8, NAME. No number before the x: one device (names may hold an x themselves).
std::pair<int, std::string_view> split_count(std::string_view text) {
  int count = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), count);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (trouble != std::errc() || length + 1 >= text.size()) return {1, text};
  if (text[length] != 'x' && text[length] != 'X' && text[length] != '*') return {1, text};
  return {count, text.substr(length + 1)};
}

std::optional<double> known(double figure, double unit) {
  if (figure == hardware_unknown) return std::nullopt;
  return figure * unit;
}

Hardware from_row(const HardwareRow& row, int count) {
  Hardware hardware;
  hardware.name = row.name;
  hardware.count = count;
  hardware.memory_bytes = row.memory_bytes == hardware_unknown ? row.memory_gb * 1e9 : row.memory_bytes;
  hardware.bandwidth_bytes_per_s = row.bandwidth_gb_s * 1e9;
  hardware.bf16_flops = known(row.bf16_tflops, 1e12);
  hardware.fp8_flops = known(row.fp8_tflops, 1e12);
  hardware.int8_flops = known(row.int8_tflops, 1e12);
  hardware.fp4_flops = known(row.fp4_tflops, 1e12);
  hardware.link_bytes_per_s = known(row.link_gb_s, 1e9);
  hardware.source = row.source;
  hardware.unverified = row.unverified;
  return hardware;
}

}  // namespace

Hardware parse_hardware(std::string_view text) {
  const auto [count, device] = split_count(text);
  if (count < 1 || count > 65536) {
    throw Error(fmt::format("--hardware {}: the number of devices must be from 1 to 65536", text));
  }
  const std::string wanted = folded(device);
  for (const HardwareRow& row : hardware_table()) {
    if (folded(row.name) == wanted) return from_row(row, count);
  }
  throw Error(fmt::format("--hardware {}: the device \"{}\" is not in the table; the nearest are {}", text, device,
                          nearest_names(device)));
}

std::optional<double> peak_flops(const Hardware& hardware, ComputeType type) {
  std::optional<double> peak;
  if (type == ComputeType::fp8) peak = hardware.fp8_flops;
  if (type == ComputeType::int8) peak = hardware.int8_flops;
  if (type == ComputeType::fp4) peak = hardware.fp4_flops;
  return peak ? peak : hardware.bf16_flops;
}

}  // namespace loadline
