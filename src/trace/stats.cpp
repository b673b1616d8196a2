#include "trace/stats.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "trace/arrival_stats.h"
#include "trace/length_counts.h"
#include "trace/session_stats.h"

namespace loadline {
namespace {

/// Pearson's correlation of x(row) and y(row): in two passes, so that large means cost no digits.
template <class X, class Y>
std::optional<double> correlation(const std::vector<TraceRow>& rows, X x, Y y) {
  double mean_x = 0, mean_y = 0;
  for (const TraceRow& row : rows) {
    mean_x += x(row);
    mean_y += y(row);
  }
  mean_x /= static_cast<double>(rows.size());
  mean_y /= static_cast<double>(rows.size());
  double xx = 0, yy = 0, xy = 0;
  for (const TraceRow& row : rows) {
    const double dx = x(row) - mean_x, dy = y(row) - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  if (xx <= 0 || yy <= 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

/// Completions of the rows of each prompt bin; `edges` ascending, bin i holds edges[i] < prompt <= edges[i + 1].
std::vector<std::vector<std::int64_t>> completions_by_bin(const std::vector<TraceRow>& rows,
                                                          const std::vector<std::int64_t>& edges) {
  std::vector<std::vector<std::int64_t>> bins(edges.size() - 1);
  for (const TraceRow& row : rows) {
    const auto upper = std::lower_bound(edges.begin() + 1, edges.end(), row.prompt.value());
    bins[static_cast<std::size_t>(upper - edges.begin()) - 1].push_back(row.completion.value());
  }
  return bins;
}

std::int64_t nearest_rank(std::vector<std::int64_t>& values, std::uint64_t percent) {
  const std::uint64_t number = std::max<std::uint64_t>((percent * values.size() + 99) / 100, 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(number - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::vector<CompletionByPrompt> bin_completions(const std::vector<TraceRow>& rows, const LengthSummary& prompt) {
  std::vector<std::int64_t> edges{prompt.min - 1, prompt.p10, prompt.p25, prompt.p50, prompt.p75,
                                  prompt.p90,     prompt.p95, prompt.p99, prompt.max};
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  auto bins = completions_by_bin(rows, edges);
  std::vector<CompletionByPrompt> table;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].empty()) continue;
    CompletionByPrompt entry{edges[i], edges[i + 1], bins[i].size(), 0, 0};
    entry.p50 = nearest_rank(bins[i], 50);
    entry.p90 = nearest_rank(bins[i], 90);
    table.push_back(entry);
  }
  return table;
}

void describe_lengths(const std::vector<TraceRow>& rows, TraceStats& stats) {
  const auto prompt = [](const TraceRow& row) { return row.prompt.value(); };
  const auto completion = [](const TraceRow& row) { return row.completion.value(); };
  const LengthCounts prompts(rows, prompt), completions(rows, completion);
  stats.prompt_tokens = prompts.summary();
  stats.completion_tokens = completions.summary();
  stats.pearson = correlation(
      rows, [&](const TraceRow& row) { return static_cast<double>(prompt(row)); },
      [&](const TraceRow& row) { return static_cast<double>(completion(row)); });
  const std::vector<double> prompt_ranks = prompts.mean_ranks(), completion_ranks = completions.mean_ranks();
  stats.spearman = correlation(
      rows, [&](const TraceRow& row) { return prompt_ranks[static_cast<std::size_t>(prompt(row))]; },
      [&](const TraceRow& row) { return completion_ranks[static_cast<std::size_t>(completion(row))]; });
  stats.completion_by_prompt = bin_completions(rows, stats.prompt_tokens);
}

}  // namespace

TraceStats describe(const Trace& trace) {
  check(!trace.rows.empty(), "a trace that is described has rows");
  TraceStats stats;
  stats.source = trace.source;
  stats.format = trace.format;
  stats.read = trace.read;
  stats.rows = trace.rows.size();
  stats.refused = trace.refused;
  stats.filtered = trace.filtered;
  describe_lengths(trace.rows, stats);
  if (trace.has_times) {
    stats.time_resolution_ms = trace.time_resolution_ms;
    stats.arrivals = describe_arrivals(trace.rows, trace.time_resolution_ms);
  }
  stats.sessions = describe_sessions(trace);
  return stats;
}

std::optional<double> busiest_minute_requests_per_s(const TraceStats& stats) {
  if (!stats.arrivals || stats.arrivals->span_s < 60) return std::nullopt;
  return static_cast<double>(stats.arrivals->busiest_60s) / 60.0;
}

}  // namespace loadline
