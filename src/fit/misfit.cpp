#include "fit/misfit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace loadline {
namespace {

constexpr double nothing_answered = 300;

void put_misfits(const ReplayedLevel& level, const EngineParameters& parameters, std::span<double> out) {
  const std::optional<LevelShape> simulated = simulated_shape(level, parameters);
  for (std::size_t i = 0; i < shape_figures.size(); ++i) {
    const ShapeFigure& figure = shape_figures[i];
    out[i] = simulated ? std::log(*simulated.*figure.member / level.measured.*figure.member) / figure.spread
                       : nothing_answered;
  }
}

}  // namespace

std::vector<double> misfits(std::span<const ReplayedLevel> levels, const EngineParameters& parameters) {
  std::vector<double> all(levels.size() * shape_figures.size());
  std::atomic<std::size_t> taken = 0;
  const auto work = [&] {
    for (std::size_t i = taken++; i < levels.size(); i = taken++) {
      // The highest loads take longest: they come first.
      const std::size_t level = levels.size() - 1 - i;
      put_misfits(levels[level], parameters,
                  std::span(all).subspan(level * shape_figures.size(), shape_figures.size()));
    }
  };
  std::vector<std::jthread> others;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(cores, levels.size()); ++i) others.emplace_back(work);
  work();
  others.clear();
  return all;
}

double sum_of_squares(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace loadline
