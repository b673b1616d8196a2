#pragma once
// Visits: levels of a fixed number of requests around the crossing, until the capacity is known as closely as asked.
// docs/method.md section 4, "Visit", "Search" step 3 and "Open search". Pure functions of the results so far.

#include <cstddef>
#include <cstdint>

#include "core/level.h"
#include "curve/capacity_estimate.h"

namespace loadline {

/// How a kind of load is visited.
struct VisitRules {
  LevelKind kind = LevelKind::concurrency;
  std::uint32_t requests = 1000;  ///< measured in each
  double farthest = 0.25;         ///< from load*, in ln; 1 / slope where that is nearer
  std::size_t least_visits = 12, least_near = 6;
  double precision = 0.05;  ///< (high - low) / (2 value) of capacity that ends the search
};
/// Users: 1,000 requests, at least 12 visits of which 6 are near, `precision` as asked (--capacity-precision).
VisitRules closed_visits(double precision);
/// Requests/s: 2,000 requests, at least 8 visits, twice the precision: an open capacity is that much harder to know.
VisitRules open_visits(double precision);

/// The load of visit number `visit` (from 0) around `crossing`: load* exp(u min(farthest, 1/s)), u = 0, 1, -1, 0.5,
/// -0.5 in turn, s the slope on that side. Whole users, at least 1, at most `most_users`; rates in three digits.
double visit_load(const CrossingEstimate& crossing, std::size_t visit, const VisitRules& rules, double most_users);

/// A rate that is easily read: rounded to three digits.
double in_three_digits(double rate);

/// How many of `levels` are visits of that kind of load.
std::size_t count_visits(const std::vector<LevelResult>& levels, LevelKind kind);

/// Enough visits, enough of the levels near, and the capacity as close as asked. It ends a search when it holds after
/// two visits in a row.
bool is_close_enough(const CapacityEstimate& estimate, std::size_t visits, const VisitRules& rules);

}  // namespace loadline
