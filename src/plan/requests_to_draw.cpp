#include "plan/requests_to_draw.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {
namespace {

// A fast target answers many requests in the least warm-up: room for as many as its window takes at most, nine times
// over.
constexpr double warmup_windows = 9;
// While the slowest request of the window ends the other users go on: room for 50 requests each, as when one answer
// lasts 50 times the mean.
constexpr double cooldown_requests_per_user = 50;
// The same for an open loop, in time: the slowest answer may last ten times the mean, and two minutes where it is
// unknown.
constexpr double cooldown_answers = 10, least_cooldown_s = 120;
// A rate that is only expected may be twice as high.
constexpr double rate_margin = 2;
// Random arrivals exceed their mean by more than this many standard deviations once in 30,000 plans.
constexpr double deviations_of_arrivals = 4;
// A log's busy minutes have more than its mean rate: two of them 1.2 times as much in Mooncake's conversation trace
// (2025), 3.1 times in Azure's code trace (2023).
constexpr double logged_rate_margin = 3;

/// Parts of a plan, in requests.
struct Needs {
  double warmup = 0, measured = 0, cooldown = 0;
  double sum() const { return warmup + measured + cooldown; }
};

/// `rate`: expected requests/s, 0 where unknown.
Needs closed_needs(double users, const LevelRules& rules, double rate) {
  const double most_measured = rules.max_requests;
  Needs needs;
  needs.warmup = std::max({2 * users, warmup_windows * most_measured, rate_margin * rate * seconds(rules.warmup_min)});
  needs.measured = most_measured;
  if (rules.duration) {
    needs.measured = rate > 0 ? std::max(most_measured, rate_margin * rate * seconds(*rules.duration))
                              : static_cast<double>(most_requests_drawn);
  }
  needs.cooldown = cooldown_requests_per_user * users;
  return needs;
}

/// Most arrivals of `level` in a span.
double most_arrivals(const Level& level, double span_s) {
  const double mean = level.target * span_s;
  // Counts of a renewal process have the variance mean * CV^2 [Cox 1962]; gaps of a gamma law CV^2 = 1 / shape.
  const double variance = level.arrivals == Arrivals::gamma ? mean / std::min(1.0, level.burstiness) : mean;
  const double margin = level.arrivals == Arrivals::trace ? logged_rate_margin : 1;
  return margin * mean + deviations_of_arrivals * std::sqrt(variance);
}

Needs open_needs(const Level& level, const LevelRules& rules, std::size_t initial_in_flight) {
  const double e2e = rules.expected_e2e ? seconds(*rules.expected_e2e) : 0;
  const auto arrivals = [&level](double span_s) { return most_arrivals(level, span_s); };
  Needs needs;
  needs.warmup = static_cast<double>(initial_in_flight) + arrivals(std::max(seconds(rules.open_warmup_min), 3 * e2e));
  needs.measured = std::min<double>(rules.max_requests, arrivals(seconds(rules.max_duration)));
  if (rules.duration) needs.measured = arrivals(seconds(*rules.duration));
  needs.cooldown = arrivals(std::max(least_cooldown_s, cooldown_answers * e2e));
  return needs;
}

}  // namespace

std::size_t requests_to_draw(const Level& level, const LevelRules& rules, std::optional<double> expected_requests_per_s,
                             std::size_t initial_in_flight) {
  check(level.target > 0 && std::isfinite(level.target), "a level has a load");
  check(level.arrivals != Arrivals::gamma || level.burstiness > 0, "gaps have a shape");
  const bool closed = level.kind == LevelKind::concurrency;
  if (rules.num_prompts && rules.warmup_requests == 0U) return *rules.num_prompts;

  Needs needs = closed ? closed_needs(level.target, rules, std::max(0.0, expected_requests_per_s.value_or(0)))
                       : open_needs(level, rules, initial_in_flight);
  double by_number = 0;
  if (rules.warmup_requests) {
    by_number += *rules.warmup_requests;
    needs.warmup = *rules.warmup_requests + (closed ? 0 : static_cast<double>(initial_in_flight));
  }
  if (rules.num_prompts) {
    by_number += *rules.num_prompts;
    needs.measured = *rules.num_prompts;
  }
  const double most = std::max(static_cast<double>(most_requests_drawn), by_number);
  return static_cast<std::size_t>(std::ceil(std::min(needs.sum(), most)));
}

}  // namespace loadline
