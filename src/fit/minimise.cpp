#include "fit/minimise.h"

#include <nlopt.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>

#include "core/error.h"

namespace loadline {
namespace {

/// What NLopt's plain C function needs; an exception must not pass through it.
struct Search {
  const std::function<double(const std::vector<double>&)>& function;
  nlopt_opt optimiser;
  Minimum best;
  std::exception_ptr failure;
};

double evaluate(unsigned count, const double* x, double*, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (search.failure) return std::numeric_limits<double>::max();
  try {
    const std::vector<double> at(x, x + count);
    const double value = search.function(at);
    if (search.best.evaluations++ == 0 || value < search.best.value) search.best.at = at, search.best.value = value;
    return value;
  } catch (...) {
    search.failure = std::current_exception();
    nlopt_force_stop(search.optimiser);
    return std::numeric_limits<double>::max();
  }
}

}  // namespace

Minimum minimise(const std::function<double(const std::vector<double>&)>& function, std::vector<double> start,
                 const Box& box, const std::vector<double>& steps, double tolerance, int most_evaluations) {
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimiser(
      nlopt_create(NLOPT_LN_BOBYQA, static_cast<unsigned>(start.size())), &nlopt_destroy);
  check(optimiser != nullptr, "the minimiser can be made");
  Search search{function, optimiser.get(), {}, {}};
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = std::clamp(start[i], box.low[i], box.high[i]);
  bool is_set = nlopt_set_min_objective(optimiser.get(), evaluate, &search) > 0;
  is_set = nlopt_set_lower_bounds(optimiser.get(), box.low.data()) > 0 && is_set;
  is_set = nlopt_set_upper_bounds(optimiser.get(), box.high.data()) > 0 && is_set;
  is_set = nlopt_set_initial_step(optimiser.get(), steps.data()) > 0 && is_set;
  is_set = nlopt_set_ftol_rel(optimiser.get(), tolerance) > 0 && is_set;
  is_set = nlopt_set_maxeval(optimiser.get(), most_evaluations) > 0 && is_set;
  check(is_set, "the minimiser takes its settings");
  double value = 0;
  nlopt_optimize(optimiser.get(), start.data(), &value);  // also where rounding stops it, the best point is known
  if (search.failure) std::rethrow_exception(search.failure);
  check(search.best.evaluations > 0, "the minimiser has asked for a value");
  return search.best;
}

}  // namespace loadline
