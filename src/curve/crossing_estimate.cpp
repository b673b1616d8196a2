// The share of requests above the limit rises with load like a logistic curve in ln load, with one slope below the
// crossing and another above it. All three unknowns live on a grid. A level left of the crossing depends on s1 alone,
// one right of it on s2 alone, so for each place of the crossing the log-likelihood is a sum of two tables of 24
// entries, and the whole posterior costs 24 x 24 products a place. The logarithms of shares are the same in every round
// and for every level of a load: they are taken once. The weights that depend on where the crossing is (how near a
// level is, how widely levels scatter) are found by repeating this four times.

#include "curve/crossing_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/units.h"
#include "statistics/dependence.h"
#include "statistics/distributions.h"
#include "statistics/least_squares.h"

namespace loadline {
namespace {

constexpr std::size_t slope_points = 24;
constexpr double grid_step = 0.005, most_share = 0.98, most_nearness = 0.3;
using Slopes = std::array<double, slope_points>;

// A row as steps 2 and 3 take it.
struct Judged {
  double log_load, n, above;
  double tau;       // held up where k is too small to tell (step 3)
  double told_tau;  // as measured: the mean over the near levels is of these
  bool is_pinned;   // saturated, or mostly above: its count is a convention
  double weight = 1, dispersion = 1;
};

struct Posterior {
  double median = 0, low = 0, high = 0;  // ln load*
  double slope_below = 1, slope_above = 1;
};

Slopes make_slopes() {
  Slopes slopes{};
  for (std::size_t i = 0; i < slope_points; ++i) {
    slopes[i] = 0.5 * std::pow(120.0, static_cast<double>(i) / static_cast<double>(slope_points - 1));
  }
  return slopes;
}

Slopes logarithms(Slopes values) {
  for (double& value : values) value = std::log(value);
  return values;
}

std::vector<Judged> judge_rows(std::span<const CrossingRow> rows) {
  std::vector<Judged> judged;
  double largest_tau = 0;
  for (const CrossingRow& row : rows) {
    check(row.load > 0, "a level has a load");
    const bool is_pinned = row.saturated || row.above > 0.6 * row.n;
    if (is_pinned)
      judged.push_back({std::log(row.load), 100, 50, 4, 4, true});
    else
      judged.push_back({std::log(row.load), row.n, row.above, row.tau, row.tau, false});
    if (!is_pinned && row.above >= 10 && row.above <= row.n / 2) largest_tau = std::max(largest_tau, row.tau);
  }
  const double tau_of_few = largest_tau > 0 ? largest_tau : 4;
  for (Judged& row : judged) {
    if (row.above < 10) row.tau = std::max(row.tau, tau_of_few);
    row.dispersion = student_inflation * row.tau;
  }
  return judged;
}

// The joint prior of the two slopes, up to a factor.
std::array<Slopes, slope_points> slope_prior(const Slopes& slopes, const CrossingSettings& settings) {
  std::array<Slopes, slope_points> prior{};
  for (std::size_t i = 0; i < slope_points; ++i) {
    const double z1 = (std::log(slopes[i]) - std::log(settings.slope_median)) / settings.slope_spread;
    double sum = 0;
    for (std::size_t j = 0; j < slope_points; ++j) {
      const double z2 = (std::log(slopes[j]) - std::log(slopes[i]) - 0.3) / 0.4;
      prior[i][j] = std::pow(1 + z2 * z2 / 2, -1.5);
      sum += prior[i][j];
    }
    for (double& weight : prior[i]) weight *= std::exp(-z1 * z1 / 2) / sum;
  }
  return prior;
}

// ln v and ln(1 - v) of one load for every place of the crossing and every slope: what costs time, and the same in all
// rounds. ln(1 - v) = ln v - x; only ln v is kept.
struct LoadTable {
  double log_load = 0;
  std::vector<Slopes> log_share;
};

// How often requests of one load were above and within the limit, in the weights of the round.
struct LoadCounts {
  double above = 0, within = 0;
};

class CrossingGrid {
 public:
  CrossingGrid(std::span<const Judged> rows, const CrossingSettings& settings)
      : slopes_(make_slopes()),
        prior_(slope_prior(slopes_, settings)),
        base_(std::log(settings.allowed / (1 - settings.allowed))) {
    const auto [lowest, highest] = std::ranges::minmax(rows, {}, &Judged::log_load);
    first_ = lowest.log_load - std::log(2.0);
    const double last = highest.log_load + std::log(1.4);
    while (place(count_) < last) ++count_;
    for (const Judged& row : rows) {
      if (std::ranges::find(loads_, row.log_load, &LoadTable::log_load) == loads_.end())
        loads_.push_back(table_of(row.log_load));
    }
  }

  Posterior posterior(std::span<const Judged> rows) const {
    const std::vector<LoadCounts> counts = counts_by_load(rows);
    std::vector<Side> below(count_), above(count_);
    double top = -infinite;
    for (std::size_t g = 0; g < count_; ++g) {
      sum_at(g, counts, below[g], above[g]);
      top = std::max(top, below[g].largest + above[g].largest);
    }
    std::vector<double> weight(count_, 0);
    double all = 0, log_below = 0, log_above = 0;
    for (std::size_t g = 0; g < count_; ++g) {
      const double scale = std::exp(below[g].largest + above[g].largest - top);
      if (scale == 0) continue;
      const Slopes& b = below[g].values;
      const Slopes& a = above[g].values;
      for (std::size_t i = 0; i < slope_points; ++i) {
        double row = 0, row_log = 0;
        for (std::size_t j = 0; j < slope_points; ++j) {
          const double w = prior_[i][j] * a[j];
          row += w;
          row_log += w * log_slopes_[j];
        }
        weight[g] += scale * b[i] * row;
        log_below += scale * b[i] * row * log_slopes_[i];
        log_above += scale * b[i] * row_log;
      }
      all += weight[g];
    }
    return {quantile(weight, all, 0.5), quantile(weight, all, 0.025), quantile(weight, all, 0.975),
            std::exp(log_below / all), std::exp(log_above / all)};
  }

 private:
  // exp(log-likelihood - largest) of the levels on one side, by the slope there.
  struct Side {
    Slopes values{};
    double largest = 0;
    void scale() {
      largest = *std::ranges::max_element(values);
      for (double& value : values) value = std::exp(value - largest);
    }
  };

  double place(std::size_t g) const { return first_ + grid_step * static_cast<double>(g); }

  // The slope of a load is s1 where the crossing is at it or above, else s2; logit v = base + s (ln load - place),
  // v held at most_share.
  double logit(double log_load, std::size_t g, std::size_t slope) const {
    static const double most_logit = std::log(most_share / (1 - most_share));
    return std::min(base_ + slopes_[slope] * (log_load - place(g)), most_logit);
  }

  LoadTable table_of(double log_load) const {
    LoadTable table{log_load, std::vector<Slopes>(count_)};
    for (std::size_t g = 0; g < count_; ++g) {
      for (std::size_t i = 0; i < slope_points; ++i)
        table.log_share[g][i] = -std::log1p(std::exp(-logit(log_load, g, i)));
    }
    return table;
  }

  std::vector<LoadCounts> counts_by_load(std::span<const Judged> rows) const {
    std::vector<LoadCounts> counts(loads_.size());
    for (const Judged& row : rows) {
      const auto at = std::ranges::find(loads_, row.log_load, &LoadTable::log_load) - loads_.begin();
      LoadCounts& count = counts[static_cast<std::size_t>(at)];
      count.above += row.weight / row.dispersion * row.above;
      count.within += row.weight / row.dispersion * (row.n - row.above);
    }
    return counts;
  }

  void sum_at(std::size_t g, const std::vector<LoadCounts>& counts, Side& below, Side& above) const {
    for (std::size_t load = 0; load < loads_.size(); ++load) {
      const double log_load = loads_[load].log_load;
      Slopes& side = (place(g) >= log_load ? below : above).values;
      for (std::size_t i = 0; i < slope_points; ++i) {
        side[i] += (counts[load].above + counts[load].within) * loads_[load].log_share[g][i] -
                   counts[load].within * logit(log_load, g, i);
      }
    }
    below.scale();
    above.scale();
  }

  // The first place whose cumulative weight reaches `p`.
  double quantile(const std::vector<double>& weight, double all, double p) const {
    double sum = 0;
    for (std::size_t g = 0; g < count_; ++g) {
      sum += weight[g];
      if (sum >= p * all) return place(g);
    }
    return place(count_ - 1);
  }

  Slopes slopes_, log_slopes_ = logarithms(slopes_);
  std::array<Slopes, slope_points> prior_;
  double base_, first_ = 0;
  std::size_t count_ = 0;
  std::vector<LoadTable> loads_;
};

struct Nearness {
  double below, above;
  double of(double distance) const { return distance < 0 ? below : above; }
};

Nearness nearness(const Posterior& posterior, const CrossingSettings& settings) {
  const auto held = [&](double slope) { return std::clamp(1.5 / slope, settings.least_nearness, most_nearness); };
  return {held(posterior.slope_below), held(posterior.slope_above)};
}

bool is_near(const Judged& row, const Posterior& posterior, const Nearness& near) {
  const double distance = row.log_load - posterior.median;
  return std::abs(distance) <= near.of(distance);
}

// How far the near levels scatter around the curve, against what their counts alone would (phi).
double scatter(std::span<const Judged> rows, const Posterior& posterior, const Nearness& near, double base,
               std::size_t count) {
  double sum = 0;
  for (const Judged& row : rows) {
    if (!is_near(row, posterior, near)) continue;
    const double distance = row.log_load - posterior.median;
    const double x = base + (distance <= 0 ? posterior.slope_below : posterior.slope_above) * distance;
    const double v = std::min(most_share, 1 / (1 + std::exp(-x)));
    sum += (row.above - row.n * v) * (row.above - row.n * v) / (row.n * v * (1 - v));
  }
  return sum / static_cast<double>(count - 1);
}

// Steps 3 and 4 for the next round. Returns how many are near.
std::size_t weigh(std::span<Judged> rows, const Posterior& posterior, const CrossingSettings& settings) {
  const Nearness near = nearness(posterior, settings);
  std::size_t count = 0;
  double tau_sum = 0;
  for (Judged& row : rows) {
    const double distance = row.log_load - posterior.median, h = near.of(distance);
    const bool is_inside = std::abs(distance) <= h;
    row.weight = is_inside ? 1 : (h / distance) * (h / distance);
    row.dispersion = student_inflation * row.tau;
    if (is_inside) ++count, tau_sum += row.told_tau;
  }
  if (count < 6) return count;
  const double base = std::log(settings.allowed / (1 - settings.allowed));
  const double phi = scatter(rows, posterior, near, base, count);
  const double student = student_quantile(0.975, static_cast<double>(count - 1)) / 1.96;
  const double common = settings.dispersion * std::max(tau_sum / static_cast<double>(count), phi) * student * student;
  for (Judged& row : rows) row.dispersion = is_near(row, posterior, near) ? common : std::max(row.dispersion, common);
  return count;
}

}  // namespace

CrossingEstimate estimate_crossing(std::span<const CrossingRow> rows, const CrossingSettings& settings) {
  check(!rows.empty(), "an estimate needs a level");
  check(settings.allowed > 0 && settings.allowed < 1, "an allowed share lies in (0, 1)");
  std::vector<Judged> judged = judge_rows(rows);
  const CrossingGrid grid(judged, settings);
  CrossingEstimate estimate;
  Posterior posterior = grid.posterior(judged);
  for (int round = 1; round < 4; ++round) {
    weigh(judged, posterior, settings);
    posterior = grid.posterior(judged);
  }
  const Nearness near = nearness(posterior, settings);
  estimate.near = static_cast<std::size_t>(
      std::ranges::count_if(judged, [&](const Judged& row) { return is_near(row, posterior, near); }));
  estimate.load = {std::exp(posterior.median), std::exp(posterior.low), std::exp(posterior.high)};
  estimate.slope_below = posterior.slope_below;
  estimate.slope_above = posterior.slope_above;
  return estimate;
}

}  // namespace loadline
