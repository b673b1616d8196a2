#pragma once
// A minimum of a function of several numbers, without derivatives: NLopt's BOBYQA [Powell 2009], which models the
// function by a quadratic inside the bounds.

#include <functional>
#include <vector>

namespace loadline {

struct Box {
  std::vector<double> low, high;
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
  int evaluations = 0;
};

/// From `start` inside `box`, with first steps of `steps`; ends where a step changes the value by less than
/// `tolerance` of it, or after `most_evaluations`. The best point seen. What `function` throws comes out of here.
Minimum minimise(const std::function<double(const std::vector<double>&)>& function, std::vector<double> start,
                 const Box& box, const std::vector<double>& steps, double tolerance, int most_evaluations);

}  // namespace loadline
