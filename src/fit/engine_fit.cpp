// From coarse to fine: at every start two numbers are fitted to three levels; the best starts go on with all parameters
// and all levels. The levels are simulated with the very requests that were measured, so that chance is the same on
// both sides and few requests are enough.

#include "fit/engine_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "fit/free_parameters.h"
#include "fit/minimise.h"
#include "fit/misfit.h"
#include "fit/parameter_errors.h"
#include "fit/starting_points.h"

namespace loadline {
namespace {

constexpr int coarse_evaluations = 14, fine_evaluations = 180, polish_evaluations = 120;
constexpr std::size_t starts_to_refine = 2;
constexpr double coarse_step = 0.3, fine_step = 0.15;
/// A quadratic begun anew at the best point, with steps of these sizes in turn, leaves valleys that the one before had
/// not seen.
constexpr double polish_steps[] = {0.04, 0.15, 0.04, 0.15, 0.04};
constexpr double good_enough = 0.1;  ///< squared spreads a figure: far below what chance explains
constexpr double fine_tolerance = 1e-4;
constexpr double normal_95 = 1.959964;
constexpr double told_ln = 0.693147, told_share = 0.3;

/// `count` of them, evenly over the order of load, both ends included.
std::vector<ReplayedLevel> spread_over(std::span<const ReplayedLevel> levels, std::size_t count) {
  if (levels.size() <= count) return {levels.begin(), levels.end()};
  std::vector<ReplayedLevel> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(levels[i * (levels.size() - 1) / (count - 1)]);
  return chosen;
}

struct Candidate {
  EngineParameters parameters;
  double misfit = 0;
};

class Fit {
 public:
  explicit Fit(std::vector<ReplayedLevel> levels)
      : levels_(std::move(levels)), few_(spread_over(levels_, least_levels_to_fit)) {}

  /// Steps as a whole and compute as a whole, in ln.
  Candidate coarse(const EngineParameters& start) {
    const auto scaled = [&](const std::vector<double>& x) {
      EngineParameters moved = start;
      moved.fixed_step *= std::exp(x[0]);
      moved.weight_read *= std::exp(x[0]);
      moved.token_compute *= std::exp(x[1]);
      return moved;
    };
    const Minimum best = minimise([&](const std::vector<double>& x) { return misfit(few_, scaled(x)); }, {0, 0},
                                  {{-3, -3}, {3, 3}}, {coarse_step, coarse_step}, fine_tolerance, coarse_evaluations);
    return {scaled(best.at), best.value};
  }

  Candidate fine(const EngineParameters& start, double step, int evaluations) {
    Box box;
    for (const FreeParameter& one : free_parameters()) {
      box.low.push_back(coordinate_of(one, one.least));
      box.high.push_back(coordinate_of(one, one.most));
    }
    const Minimum best = minimise(
        [&](const std::vector<double>& x) { return misfit(levels_, parameters_at(x, start)); }, coordinates_of(start),
        box, std::vector<double>(free_parameter_count, step), fine_tolerance, evaluations);
    return {parameters_at(best.at, start), best.value};
  }

  const std::vector<ReplayedLevel>& levels() const { return levels_; }
  int simulations() const { return simulations_; }

 private:
  double misfit(std::span<const ReplayedLevel> levels, const EngineParameters& parameters) {
    ++simulations_;
    return sum_of_squares(misfits(levels, parameters));
  }

  std::vector<ReplayedLevel> levels_, few_;
  int simulations_ = 0;
};

std::vector<ParameterEstimate> estimates_of(const EngineParameters& parameters, std::span<const ReplayedLevel> levels) {
  const std::vector<double> coordinates = coordinates_of(parameters);
  const std::vector<double> errors = coordinate_errors(levels, parameters, coordinates);
  std::vector<ParameterEstimate> estimates;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const FreeParameter& one = free_parameters()[i];
    const double half = normal_95 * errors[i];
    ParameterEstimate estimate{std::string(one.key), value_of(one, parameters), 0, 0,
                               half <= (one.is_share ? told_share : told_ln)};
    estimate.low = std::clamp(value_at(one, coordinates[i] - half), one.least, one.most);
    estimate.high = std::clamp(value_at(one, coordinates[i] + half), one.least, one.most);
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

void judge(std::span<const ReplayedLevel> levels, EngineFit& fit) {
  double squares = 0, count = 0;
  for (const ReplayedLevel& level : levels) {
    const std::optional<LevelShape> simulated = simulated_shape(level, fit.parameters);
    check(simulated.has_value(), "a fitted engine answers the levels it was fitted to");
    fit.levels.push_back({level.plan.level, level.count, level.measured, *simulated});
    for (const ShapeFigure& figure : shape_figures) {
      const double off = std::log(*simulated.*figure.member / level.measured.*figure.member);
      squares += off * off;
      count += 1;
    }
  }
  fit.error = std::sqrt(squares / count);
}

}  // namespace

EngineFit fit_engine(std::vector<ReplayedLevel> levels, const EngineParameters& others,
                     const std::function<void(const std::string&)>& say) {
  check(levels.size() >= least_levels_to_fit, "a fit has enough levels");
  std::ranges::stable_sort(levels, {}, &ReplayedLevel::most_in_flight);
  Fit fit(spread_over(levels, most_levels_to_fit));

  std::vector<Candidate> candidates;
  for (const EngineParameters& start : starting_points(fit.levels(), others)) candidates.push_back(fit.coarse(start));
  std::ranges::stable_sort(candidates, {}, &Candidate::misfit);
  candidates.resize(std::min(candidates.size(), starts_to_refine));
  for (Candidate& candidate : candidates) {
    say(fmt::format("fitting the engine model: {} simulations of {} levels so far", fit.simulations(),
                    fit.levels().size()));
    candidate = fit.fine(candidate.parameters, fine_step, fine_evaluations);
  }
  Candidate best = *std::ranges::min_element(candidates, {}, &Candidate::misfit);
  const double figures = static_cast<double>(fit.levels().size() * shape_figures.size());
  for (const double step : polish_steps) {
    if (best.misfit < good_enough * figures) break;
    const Candidate polished = fit.fine(best.parameters, step, polish_evaluations);
    if (polished.misfit < best.misfit) best = polished;
  }

  EngineFit result;
  result.parameters = best.parameters;
  result.estimates = estimates_of(best.parameters, fit.levels());
  judge(fit.levels(), result);
  result.simulations = fit.simulations();
  return result;
}

}  // namespace loadline
