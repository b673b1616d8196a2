#include "fit/starting_points.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace loadline {
namespace {

constexpr std::int64_t budgets[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192};
constexpr std::int64_t longest_request = 10'000'000;

struct MeanLengths {
  double computed_prompt = 0, prompt = 0, output = 0;
};

MeanLengths lengths_of(const ReplayedLevel& level) {
  MeanLengths sum;
  for (const PlannedRequest& planned : level.plan.requests) {
    const Request& request = planned.request;
    sum.prompt += static_cast<double>(request.prompt.length.value());
    sum.computed_prompt += static_cast<double>((request.prompt.length - request.prompt.found_in_cache).value());
    sum.output += static_cast<double>(request.completion.value());
  }
  const auto count = static_cast<double>(level.plan.requests.size());
  return {sum.computed_prompt / count, sum.prompt / count, sum.output / count};
}

/// Little's law of decode alone: requests ended a second times their time between first and last token.
double in_decode(const ReplayedLevel& level) {
  return level.measured.output_tokens_per_s * level.measured.tpot_p50 / 1e3;
}

/// Sequences that run at most, where over a third more load brought hardly more of them.
std::optional<double> plateau(std::span<const ReplayedLevel> levels) {
  const double most = in_decode(levels.back());
  for (const ReplayedLevel& level : levels) {
    const bool much_lower = level.most_in_flight * 1.15 < levels.back().most_in_flight;
    if (much_lower && in_decode(level) > 0.93 * most) return most + 1;
  }
  // Or where the highest load is far from all decoding: a wait for a place as much as for prefill.
  if (most < 0.9 * levels.back().most_in_flight) return most + 1;
  return std::nullopt;
}

}  // namespace

std::vector<EngineParameters> starting_points(std::span<const ReplayedLevel> levels, const EngineParameters& others) {
  const ReplayedLevel& lightest = levels.front();
  const ReplayedLevel& busiest = *std::ranges::max_element(
      levels, {}, [](const ReplayedLevel& level) { return level.measured.output_tokens_per_s; });
  const MeanLengths lengths = lengths_of(busiest);
  const double running = std::max(1.0, in_decode(busiest));
  const double busy_step_s = busiest.measured.tpot_p50 / 1e3;

  EngineParameters start = others;
  start.fixed_step = start.weight_read = Seconds(0.45 * lightest.measured.tpot_p50 / 1e3);
  start.token_compute =
      Seconds(0.8 / (busiest.measured.output_tokens_per_s * (1 + lengths.computed_prompt / lengths.output)));
  start.kv_read = Seconds(0.1 * busy_step_s / (running * (lengths.prompt + lengths.output / 2)));
  start.sequence_step = Seconds(0.03 * busy_step_s / running);
  start.overlap = 0.9;
  start.max_model_tokens = longest_request;
  start.max_sequences = std::max<std::int64_t>(1024, std::llround(4 * levels.back().most_in_flight));
  start.kv_tokens =
      std::llround(4 * levels.back().most_in_flight * (lengths.prompt + lengths.output)) + longest_request;

  std::vector<EngineParameters> starts;
  for (const std::int64_t budget : budgets) {
    start.token_budget = budget;
    starts.push_back(start);
    if (const std::optional<double> limit = plateau(levels)) {
      starts.push_back(start);
      starts.back().max_sequences = std::llround(*limit);
    }
  }
  return starts;
}

}  // namespace loadline
