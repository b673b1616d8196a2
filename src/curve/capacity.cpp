#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/error.h"
#include "curve/crossing_estimate.h"
#include "statistics/distributions.h"
#include "statistics/least_squares.h"

namespace loadline {
namespace {

constexpr double fit_reach = 0.35;              // in ln load to either side: a parabola holds over a factor of 1.4
constexpr double least_requests_for_fit = 300;  // below, a level's own aggregate is too rough to bend a curve
constexpr double model_error = 0.015;           // what no fit of a local parabola can promise better
constexpr double neighbour_error = 0.05;        // without a fit nothing tells the error: a generous one
// More levels than coefficients, so that the fit's error can be told; loads too close together leave slope and bend
// open.
constexpr std::size_t least_points_for_parabola = 6, least_loads_for_parabola = 4, least_points_for_line = 4;
constexpr double least_spread_for_parabola = 0.15, least_spread_for_line = 0.02;
// With one degree of freedom Student's 12.7 is held at that of two: the model error stands beside it.
constexpr double most_student = 4.3;

std::vector<Point> points_in_reach(std::span<const CrossingRow> rows, double log_load) {
  std::vector<Point> points;
  for (const CrossingRow& row : rows) {
    if (row.n < least_requests_for_fit || row.aggregate <= 0 || row.saturated) continue;
    const double x = std::log(row.load);
    if (std::abs(x - log_load) <= fit_reach) points.push_back({x, std::log(row.aggregate), row.n});
  }
  return points;
}

// 2, 1, or 0 where neither a parabola nor a line is held up by enough levels.
int degree_for(const std::vector<Point>& points) {
  if (points.empty()) return 0;
  std::set<double> loads;
  for (const Point& point : points) loads.insert(point.x);
  const double spread = *loads.rbegin() - *loads.begin();
  const bool holds_parabola = points.size() >= least_points_for_parabola && loads.size() >= least_loads_for_parabola;
  if (holds_parabola && spread > least_spread_for_parabola) return 2;
  return points.size() >= least_points_for_line && spread > least_spread_for_line ? 1 : 0;
}

Estimate by_fit(const std::vector<Point>& points, int degree, const Estimate& load) {
  const double at = std::log(load.value);
  const LocalFit fit = fit_at(points, degree, at);
  const double student = fit.degrees_of_freedom == 1 ? most_student : student_quantile(0.975, fit.degrees_of_freedom);
  const double log_error = std::hypot(student * fit.standard_error, model_error);
  const double slope = std::max(0.0, fit.slope);
  const auto side = [&](double end) { return std::hypot(slope * (std::log(end) - at), log_error); };
  Estimate result;
  result.value = std::exp(fit.value);
  if (load.low) result.low = std::exp(fit.value - side(*load.low));
  if (load.high) result.high = std::exp(fit.value + side(*load.high));
  return result;
}

// ln-linear between the neighbours in load; beyond the last level its value.
double aggregate_between(const std::vector<CrossingRow>& sorted, double load) {
  const auto above = std::ranges::find_if(sorted, [&](const CrossingRow& row) { return row.load >= load; });
  if (above == sorted.begin()) return above->aggregate;
  if (above == sorted.end()) return sorted.back().aggregate;
  const CrossingRow& below = *(above - 1);
  const double w = std::log(load / below.load) / std::log(above->load / below.load);
  return below.aggregate * std::pow(above->aggregate / below.aggregate, w);
}

Estimate by_neighbours(std::span<const CrossingRow> rows, const Estimate& load) {
  std::vector<CrossingRow> sorted;
  std::ranges::copy_if(rows, std::back_inserter(sorted), [](const CrossingRow& row) { return row.aggregate > 0; });
  check(!sorted.empty(), "an aggregate is estimated from levels that have one");
  std::ranges::stable_sort(sorted, {}, &CrossingRow::load);
  Estimate result;
  result.value = aggregate_between(sorted, load.value);
  // Past the peak throughput falls with load: as in the fit, a slope below 0 narrows no interval, so that the value
  // always lies inside it.
  if (load.low) result.low = (1 - neighbour_error) * std::min(result.value, aggregate_between(sorted, *load.low));
  if (load.high) result.high = (1 + neighbour_error) * std::max(result.value, aggregate_between(sorted, *load.high));
  return result;
}

}  // namespace

Estimate estimate_aggregate(std::span<const CrossingRow> rows, const Estimate& load) {
  const std::vector<Point> points = points_in_reach(rows, std::log(load.value));
  const int degree = degree_for(points);
  return degree == 0 ? by_neighbours(rows, load) : by_fit(points, degree, load);
}

Estimate estimate_requests(std::span<const CrossingRow> rows, const Estimate& load) {
  std::vector<CrossingRow> of_requests(rows.begin(), rows.end());
  for (CrossingRow& row : of_requests) row.aggregate = row.requests_per_s;
  return estimate_aggregate(of_requests, load);
}

Estimate capacity_of(const Estimate& aggregate, double mean_completion, double relative_error_of_mean) {
  check(mean_completion > 0, "completions have tokens");
  const auto widened = [&](double end) {
    const double distance = std::log(end / aggregate.value);
    return std::copysign(std::hypot(distance, relative_error_of_mean), distance);
  };
  Estimate capacity;
  capacity.value = aggregate.value / mean_completion;
  if (aggregate.low) capacity.low = capacity.value * std::exp(widened(*aggregate.low));
  if (aggregate.high) capacity.high = capacity.value * std::exp(widened(*aggregate.high));
  return capacity;
}

}  // namespace loadline
