#include "curve/visits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline {
namespace {

constexpr std::array<double, 5> places_in_turn = {0, 1, -1, 0.5, -0.5};

}  // namespace

double in_three_digits(double rate) {
  const double unit = std::pow(10.0, std::floor(std::log10(rate)) - 2);
  return std::round(rate / unit) * unit;
}

VisitRules closed_visits(double precision) { return {LevelKind::concurrency, 1000, 0.25, 12, 6, precision}; }
VisitRules open_visits(double precision) { return {LevelKind::request_rate, 2000, 0.15, 8, 0, 2 * precision}; }

double visit_load(const CrossingEstimate& crossing, std::size_t visit, const VisitRules& rules, double most_users) {
  const double u = places_in_turn[visit % places_in_turn.size()];
  const double slope = u >= 0 ? crossing.slope_above : crossing.slope_below;
  const double load = crossing.load.value * std::exp(u * std::min(rules.farthest, 1 / slope));
  if (rules.kind == LevelKind::request_rate) return in_three_digits(load);
  return std::clamp(std::round(load), 1.0, std::max(1.0, std::floor(most_users)));
}

std::size_t count_visits(const std::vector<LevelResult>& levels, LevelKind kind) {
  return static_cast<std::size_t>(std::ranges::count_if(levels, [&](const LevelResult& one) {
    return one.level.purpose == LevelPurpose::visit && one.level.kind == kind;
  }));
}

bool is_close_enough(const CapacityEstimate& estimate, std::size_t visits, const VisitRules& rules) {
  const std::optional<double> precision = estimate.precision();
  return visits >= rules.least_visits && estimate.crossing.near >= rules.least_near && precision &&
         *precision <= rules.precision;
}

}  // namespace loadline
