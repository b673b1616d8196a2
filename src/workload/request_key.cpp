#include "workload/request_key.h"

#include <fmt/format.h>

#include <limits>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

// The stream of randomness of the lengths: arrivals have another, so that a level's requests stay the same
// whatever its rate or arrival process.
constexpr std::uint64_t lengths_stream = 0x6c656e67746873;
constexpr std::uint32_t largest_index = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::uint64_t lengths_seed(const DrawSettings& settings) {
  return mix(mix(settings.seed, lengths_stream), settings.ordinal);
}

std::uint64_t window_seed(const DrawSettings& settings) { return mix(settings.seed, lengths_stream); }

void require_countable(std::size_t count) {
  if (count <= largest_index) return;
  throw Error(fmt::format("A level of {} requests is too long: {} are the most.", count, largest_index));
}

// The level in the upper half, the request in the lower: from below in the level, from above in its history.
std::uint64_t own_key(std::uint32_t ordinal, std::size_t index) {
  return (static_cast<std::uint64_t>(ordinal) << 32) | static_cast<std::uint64_t>(index);
}

std::uint64_t history_key(std::uint32_t ordinal, std::size_t before) {
  return own_key(ordinal, largest_index - before);
}

void note_lengths(Workload& workload, const LengthRule& rule) {
  workload.scale_lengths = rule.factor();
  workload.cut_prompts = rule.cut_prompts();
  workload.cut_completions = rule.cut_completions();
}

}  // namespace loadline
