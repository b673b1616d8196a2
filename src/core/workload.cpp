#include "core/workload.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {
constexpr std::array<std::string_view, 5> sampler_names = {"rows", "replay", "sessions", "quantiles", "lognormal"};
}  // namespace

std::string_view name(Sampler sampler) { return sampler_names.at(static_cast<std::size_t>(sampler)); }

std::optional<Sampler> sampler_named(std::string_view wanted) {
  const auto* const found = std::find(sampler_names.begin(), sampler_names.end(), wanted);
  if (found == sampler_names.end()) return std::nullopt;
  return static_cast<Sampler>(found - sampler_names.begin());
}

}  // namespace loadline
