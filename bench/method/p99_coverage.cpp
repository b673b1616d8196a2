#include "bench/method/p99_coverage.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/method/by_seed.h"
#include "statistics/percentile_interval.h"

namespace loadline::bench {
namespace {

/// What one run's intervals say of the truth.
struct Verdicts {
  bool holds = false, holds_if_independent = false;
  std::optional<double> width;
  double width_if_independent = 0;
};

Verdicts judge(const ObservedLevel& level, double truth_s) {
  Verdicts verdicts;
  const LatencySummary& summary = level.result.ttft_ms;
  const double truth_ms = truth_s * 1e3;
  const bool low_holds = !summary.p99_low || *summary.p99_low <= truth_ms;
  const bool high_holds = !summary.p99_high || truth_ms <= *summary.p99_high;
  verdicts.holds = low_holds && high_holds;
  if (summary.p99_low && summary.p99_high && summary.p99) {
    verdicts.width = (*summary.p99_high - *summary.p99_low) / *summary.p99;
  }
  std::vector<double> sorted = level.ttft_s;
  std::ranges::sort(sorted);
  const std::uint64_t n = sorted.size();
  const RankInterval ranks = rank_interval(0.99, n, static_cast<double>(n));
  const double low = sorted[ranks.low - 1], high = sorted[ranks.high.value_or(n) - 1];
  verdicts.holds_if_independent = low <= truth_s && truth_s <= high;
  verdicts.width_if_independent = (high - low) / percentile_interval(level.ttft_s, 0.99).value;
  return verdicts;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::string width_text(double width) { return width > 0 ? fmt::format("{:.0f}%", 100 * width) : "-"; }

}  // namespace

Coverage cover(const LevelCase& one, std::uint32_t requests, std::uint64_t runs, unsigned threads) {
  const Expectation expected = pilot(one.level);
  const std::vector<Verdicts> all = by_seed<Verdicts>(runs, threads, [&](std::uint64_t seed) {
    return judge(observe(one.level, requests, seed, expected), one.p99_s);
  });
  Coverage coverage;
  coverage.runs = runs;
  std::vector<double> widths, independent;
  for (const Verdicts& verdicts : all) {
    coverage.holds += verdicts.holds ? 1 : 0;
    coverage.holds_if_independent += verdicts.holds_if_independent ? 1 : 0;
    coverage.without_upper_end += verdicts.width ? 0 : 1;
    if (verdicts.width) widths.push_back(*verdicts.width);
    independent.push_back(verdicts.width_if_independent);
  }
  coverage.median_width = median(widths);
  coverage.median_width_if_independent = median(independent);
  return coverage;
}

CoverageTable coverage_table(const std::string& only, const std::vector<std::uint32_t>& sizes, std::uint64_t runs,
                             unsigned threads) {
  CoverageTable table;
  table.text =
      "| load | p99 TTFT, ms | requests | holds | no upper end | median width | if independent: holds | median width |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const LevelCase& one : level_cases()) {
    if (!one.name.starts_with(only)) continue;
    for (const std::uint32_t requests : sizes) {
      const Coverage found = cover(one, requests, runs, threads);
      const auto share = [&](std::uint64_t count) {
        return 100.0 * static_cast<double>(count) / static_cast<double>(runs);
      };
      table.text +=
          fmt::format("| {} | {:.0f} | {} | {:.1f}% | {:.0f}% | {} | {:.0f}% | {} |\n", one.name, one.p99_s * 1e3,
                      requests, share(found.holds), share(found.without_upper_end), width_text(found.median_width),
                      share(found.holds_if_independent), width_text(found.median_width_if_independent));
      table.least = std::min(table.least, found.holds_share());
    }
  }
  return table;
}

}  // namespace loadline::bench
