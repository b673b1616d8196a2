#include "fit/starting_points.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace loadline {
namespace {

constexpr std::int64_t budgets[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192};
constexpr std::int64_t longest_request = 10'000'000;
// Where a step's time goes, at first guess: of one user half is fixed and half the weights, less what is left to the
// rest; of a busy step a tenth is reading the cache and little is per sequence; compute fills most of what a token
// takes.
constexpr double of_a_lone_step = 0.45, of_token_time = 0.8, kv_of_a_busy_step = 0.1, sequences_of_a_busy_step = 0.03;
constexpr double usual_overlap = 0.9;

struct LevelLengths {
  double computed_prompt = 0, prompt = 0, output = 0;
};

LevelLengths lengths_of(const ReplayedLevel& level) {
  LevelLengths sum;
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

/// A load so much above another that more sequences would run if they might, and how near their number then stays when
/// they may not: by more than chance moves a level of some hundred requests.
constexpr double more_load = 1.15, hardly_more_running = 0.93;
/// Fewer of those in flight decode than this: they wait for a place, not only for their prefill.
constexpr double nearly_all = 0.9;

/// Sequences that run at most, where 15% more load brought hardly more of them, or the highest load is far from all
/// decoding.
std::optional<double> plateau(std::span<const ReplayedLevel> levels) {
  const double most = in_decode(levels.back());
  for (const ReplayedLevel& level : levels) {
    const bool is_much_lower = level.most_in_flight * more_load < levels.back().most_in_flight;
    if (is_much_lower && in_decode(level) > hardly_more_running * most) return most + 1;
  }
  if (most < nearly_all * levels.back().most_in_flight) return most + 1;
  return std::nullopt;
}

}  // namespace

std::vector<EngineParameters> starting_points(std::span<const ReplayedLevel> levels, const EngineParameters& others) {
  const ReplayedLevel& lightest = levels.front();
  const ReplayedLevel& busiest = *std::ranges::max_element(
      levels, {}, [](const ReplayedLevel& level) { return level.measured.output_tokens_per_s; });
  const LevelLengths lengths = lengths_of(busiest);
  const double running = std::max(1.0, in_decode(busiest));
  const double busy_step_s = busiest.measured.tpot_p50 / 1e3;

  EngineParameters start = others;
  start.fixed_step = start.weight_read = Seconds(of_a_lone_step * lightest.measured.tpot_p50 / 1e3);
  start.token_compute =
      Seconds(of_token_time / (busiest.measured.output_tokens_per_s * (1 + lengths.computed_prompt / lengths.output)));
  start.kv_read = Seconds(kv_of_a_busy_step * busy_step_s / (running * (lengths.prompt + lengths.output / 2)));
  start.sequence_step = Seconds(sequences_of_a_busy_step * busy_step_s / running);
  start.overlap = usual_overlap;
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
