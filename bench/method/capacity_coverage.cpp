#include "bench/method/capacity_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/method/by_seed.h"

namespace loadline::bench {
namespace {

constexpr std::array<std::string_view, 5> way_words = {"search", "sweep", "curve alone", "fixed ten levels",
                                                       "open search"};

/// Of some runs: how far they lie from the truth and how often they hold it. A run without an estimate counts by its
/// interval alone, whose missing end holds.
struct Agreement {
  std::uint64_t runs = 0, estimates = 0, within = 0, holds = 0;
  double sum = 0, squares = 0, widths = 0;

  void add(const FoundCapacity& found, double truth, double tolerance) {
    ++runs;
    if (!found.capacity) return;
    const Estimate& value = found.capacity->requests_per_s;
    holds += (!value.low || *value.low <= truth) && (!value.high || truth <= *value.high) ? 1 : 0;
    if (!found.capacity->estimate_exists) return;
    ++estimates;
    const double off = value.value / truth - 1;
    sum += off;
    squares += off * off;
    within += std::abs(off) <= tolerance ? 1 : 0;
    if (value.low && value.high) widths += (*value.high - *value.low) / (2 * value.value);
  }
  double mean(double total) const { return estimates > 0 ? total / static_cast<double>(estimates) : 0; }
  double share(std::uint64_t count) const {
    return runs > 0 ? static_cast<double>(count) / static_cast<double>(runs) : 0;
  }
};

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

std::string row_of(const CapacityCase& one, Way way, double truth, const std::vector<FoundCapacity>& all,
                   double& least) {
  const double tolerance = way == Way::open ? 0.10 : 0.05;
  Agreement every, stopped;
  std::vector<double> engine_s;
  for (const FoundCapacity& found : all) {
    every.add(found, truth, tolerance);
    if (found.end == SweepEnd::precision) stopped.add(found, truth, tolerance);
    engine_s.push_back(found.engine_s);
  }
  double cost = 0;
  for (const double seconds : engine_s) cost += seconds / static_cast<double>(engine_s.size());
  least = std::min(least, every.share(every.holds));
  const std::string by_precision =
      stopped.runs == 0 ? "0, -, -"
                        : fmt::format("{}, {}, {}", percent(every.share(stopped.runs)),
                                      percent(stopped.share(stopped.within)), percent(stopped.share(stopped.holds)));
  return fmt::format("| {} | {} | {} | {:+.1f}% | {:.1f}% | {} | {} | {} | {:.0f} | {} |\n", one.name,
                     way_words[static_cast<std::size_t>(way)], truth, 100 * every.mean(every.sum),
                     100 * std::sqrt(every.mean(every.squares)), percent(every.share(every.within)),
                     percent(every.share(every.holds)), percent(every.mean(every.widths)), cost, by_precision);
}

}  // namespace

CapacityTable capacity_table(const std::string& only, const std::vector<Way>& ways, const std::string& budget,
                             std::uint64_t runs, unsigned threads) {
  CapacityTable table;
  table.text =
      "| engine, p99 TTFT | way | truth, req/s | bias | rms | close (5%; open 10%) | interval holds | its half width | "
      "engine-seconds | stopped by precision: share, close, holds |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const CapacityCase& one : capacity_cases()) {
    if (!one.name.starts_with(only)) continue;
    for (const Way way : ways) {
      if (way == Way::open && !one.open_requests_per_s) continue;
      const double truth = way == Way::open ? *one.open_requests_per_s : one.requests_per_s;
      const std::vector<FoundCapacity> all = by_seed<FoundCapacity>(
          runs, threads, [&](std::uint64_t seed) { return find_capacity(one, way, budget, seed); });
      table.text += row_of(one, way, truth, all, table.least);
    }
  }
  return table;
}

}  // namespace loadline::bench
