#include "report/trace_page_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

ChartSeries distribution_of(std::string_view name, const LengthSummary& lengths, bool dashed) {
  ChartSeries series{std::string(name), dashed, {}, {{}}};
  if (lengths.n == 0) return series;
  for (const LengthQuantile& quantile : length_quantiles()) {
    const std::int64_t length = lengths.*quantile.value;
    const SvgPoint at{static_cast<double>(length), 100 * quantile.share};
    series.marks.push_back({at, fmt::format("{} {}: {} tokens", name, quantile.name, figure_count(length))});
    series.strokes[0].push_back(at);
  }
  return series;
}

ChartSeries completions_of(const TraceStats& stats, const char* name, std::int64_t CompletionByPrompt::* value,
                           bool dashed) {
  ChartSeries series{name, dashed, {}, {}};
  for (const CompletionByPrompt& bin : stats.completion_by_prompt) {
    const double y = static_cast<double>(bin.*value);
    const double from = static_cast<double>(bin.from + 1), to = static_cast<double>(std::max(bin.to, bin.from + 1));
    series.strokes.push_back({{from, y}, {to, y}});
    series.marks.push_back(
        {{std::sqrt(from * to), y},
         fmt::format("prompts of {} to {} tokens: completion {} is {} tokens, {} requests", figure_count(bin.from + 1),
                     figure_count(bin.to), name, figure_count(bin.*value), figure_count(bin.n))});
  }
  return series;
}

std::string size_words(const PrefixProfile& sharing, const PrefixProfile::LruPoint& point,
                       const TraceStatsExtras& extras) {
  const auto bytes = extras.kv_bytes(point.capacity_blocks, sharing.block_size);
  return fmt::format("{} blocks{}: {} of prompt tokens", figure_count(point.capacity_blocks),
                     bytes ? " (" + bytes_words(*bytes) + ")" : "", figure_percent(point.token_hit_rate));
}

}  // namespace

const std::vector<LengthQuantile>& length_quantiles() {
  static const std::vector<LengthQuantile> quantiles = {
      {"p1", 0.01, &LengthSummary::p1},        {"p5", 0.05, &LengthSummary::p5},   {"p10", 0.1, &LengthSummary::p10},
      {"p25", 0.25, &LengthSummary::p25},      {"p50", 0.5, &LengthSummary::p50},  {"p75", 0.75, &LengthSummary::p75},
      {"p90", 0.9, &LengthSummary::p90},       {"p95", 0.95, &LengthSummary::p95}, {"p99", 0.99, &LengthSummary::p99},
      {"p99.9", 0.999, &LengthSummary::p99_9}, {"max", 1, &LengthSummary::max}};
  return quantiles;
}

Chart length_chart(const TraceStats& stats) {
  const std::string title = with_token_origin("tokens (log scale)", stats.tokens_estimated);
  return {
      "Share of requests whose prompt, and whose completion, has at most so many tokens. The numbers are in the table.",
      title,
      "requests at most as long, %",
      ScaleKind::linear,
      {distribution_of("prompt", stats.prompt_tokens, false),
       distribution_of("completion", stats.completion_tokens, true)},
      {}};
}

Chart completion_chart(const TraceStats& stats) {
  return {"Median and p90 of the completion length by prompt length. The numbers are in the table.",
          with_token_origin("prompt tokens (log scale)", stats.tokens_estimated),
          with_token_origin("completion tokens (log scale)", stats.tokens_estimated),
          ScaleKind::logarithmic,
          {completions_of(stats, "p50", &CompletionByPrompt::p50, false),
           completions_of(stats, "p90", &CompletionByPrompt::p90, true)},
          {}};
}

Chart cache_size_chart(const PrefixProfile& sharing, const TraceStatsExtras& extras) {
  ChartSeries curve{"", false, {}, {{}}};
  for (const PrefixProfile::LruPoint& point : sharing.lru) {
    const SvgPoint at{static_cast<double>(point.capacity_blocks), 100 * point.token_hit_rate};
    curve.marks.push_back({at, size_words(sharing, point, extras)});
    curve.strokes[0].push_back(at);
  }
  return {"Token hit rate against cache size. The numbers are in the table.",
          fmt::format("cache size, blocks of {} tokens (log scale)", sharing.block_size),
          "prompt tokens found in the cache, %",
          ScaleKind::linear,
          {curve},
          {{100 * sharing.token_hit_rate, "a cache that forgets nothing: " + figure_percent(sharing.token_hit_rate)}}};
}

std::string chart_figure(const Chart& chart) {
  const std::string wide = draw_chart(chart, FigureFormat::wide);
  return wide.empty() ? "" : page_figure(wide, draw_chart(chart, FigureFormat::narrow), "");
}

}  // namespace loadline
