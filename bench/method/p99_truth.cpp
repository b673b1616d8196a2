#include "bench/method/p99_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/method/by_seed.h"
#include "statistics/mean_interval.h"

namespace loadline::bench {
namespace {

constexpr double above_p99 = 0.01;
constexpr std::uint64_t truth_seeds = 5'000'000;  ///< far from those of the runs that are judged by it

/// The value that a share `above` of the ascending `pooled` lies above.
double with_share_above(const std::vector<double>& pooled, double above) {
  const double rank = std::ceil((1 - above) * static_cast<double>(pooled.size()));
  return pooled[static_cast<std::size_t>(std::clamp(rank, 1.0, static_cast<double>(pooled.size()))) - 1];
}

}  // namespace

LongRun long_run(const LevelCase& one, std::uint64_t runs, std::uint32_t requests, unsigned threads) {
  const Expectation expected = pilot(one.level);
  const std::vector<ObservedLevel> levels = by_seed<ObservedLevel>(
      runs, threads, [&](std::uint64_t seed) { return observe(one.level, requests, truth_seeds + seed, expected); });
  std::vector<double> pooled;
  LongRun truth;
  for (const ObservedLevel& level : levels) {
    pooled.insert(pooled.end(), level.ttft_s.begin(), level.ttft_s.end());
    truth.output_tokens_per_s += level.result.aggregate_output_tokens_per_s / static_cast<double>(runs);
  }
  std::ranges::sort(pooled);
  truth.p99_s = with_share_above(pooled, above_p99);
  std::vector<double> shares;
  for (const ObservedLevel& level : levels) {
    const auto above = std::ranges::count_if(level.ttft_s, [&](double x) { return x > truth.p99_s; });
    shares.push_back(static_cast<double>(above) / static_cast<double>(level.ttft_s.size()));
  }
  const std::optional<MeanInterval> share = mean_interval(shares);
  if (share) {
    truth.low_s = with_share_above(pooled, share->high);
    truth.high_s = with_share_above(pooled, std::max(share->low, 0.0));
  }
  return truth;
}

std::string truth_table(const std::string& only, std::uint64_t runs, std::uint32_t requests, unsigned threads) {
  std::string table = "| load | p99 TTFT, ms | 95% | output tokens/s |\n| --- | --- | --- | --- |\n";
  for (const LevelCase& one : level_cases()) {
    if (!one.name.starts_with(only)) continue;
    const LongRun truth = long_run(one, runs, requests, threads);
    table += fmt::format("| {} | {:.1f} | {:.1f} to {:.1f} | {:.0f} |\n", one.name, truth.p99_s * 1e3,
                         truth.low_s * 1e3, truth.high_s * 1e3, truth.output_tokens_per_s);
  }
  return table;
}

}  // namespace loadline::bench
