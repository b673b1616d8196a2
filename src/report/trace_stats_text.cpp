#include "report/trace_stats_text.h"

#include <fmt/format.h>

#include <array>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/text_page.h"
#include "report/trace_stats_words.h"
#include "report/wrapped_text.h"

namespace loadline {
namespace {

constexpr std::size_t page_width = 100, value_column = 12;

std::string number_or_unknown(const std::optional<double>& value, int digits = 3) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "unknown";
}
std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string reasons_text(const TraceStats& stats) {
  std::string page;
  for (const auto& [reason, refused] : stats.refused) {
    const std::string first =
        fmt::format("  refused   {:>10}  {:<22} ", figure_count(refused.count), escape_terminal(reason));
    append_wrapped(page, escape_terminal(refused_lines(refused)), page_width, first, text_columns(first));
    if (refused.first_lines.empty()) page += first + '\n';
  }
  for (const auto& [reason, count] : stats.filtered)
    page += fmt::format("  left out  {:>10}  {}\n", figure_count(count), escape_terminal(reason));
  return page;
}

void say_rows(TextPage& page, const TraceStats& stats) {
  page.say("{}\n", escape_terminal(stats.source));
  page.say("format      {}\n", escape_terminal(stats.format));
  page.say("rows        {} used of {} read\n", figure_count(stats.rows), figure_count(stats.read));
  page.say("{}", reasons_text(stats));
  page.say("started     {}\n", escape_terminal(started_words(stats)));
  page.say("lengths     {}\n", tokens_words(stats));
}

struct LengthColumn {
  const char* title;
  std::int64_t LengthSummary::* value;
};
constexpr std::array length_columns{
    LengthColumn{"min", &LengthSummary::min},     LengthColumn{"p1", &LengthSummary::p1},
    LengthColumn{"p10", &LengthSummary::p10},     LengthColumn{"p25", &LengthSummary::p25},
    LengthColumn{"p50", &LengthSummary::p50},     LengthColumn{"p75", &LengthSummary::p75},
    LengthColumn{"p90", &LengthSummary::p90},     LengthColumn{"p99", &LengthSummary::p99},
    LengthColumn{"p99.9", &LengthSummary::p99_9}, LengthColumn{"max", &LengthSummary::max},
};

void say_length_row(TextPage& page, const char* title, const LengthSummary& lengths) {
  page.say("{:<11}", title);
  if (lengths.n == 0) {
    page.say("{:>8}\n", "unknown");
    return;
  }
  for (const LengthColumn& column : length_columns) page.say("{:>8}", figure_count(lengths.*(column.value)));
  page.say("{:>9.1f}\n", lengths.mean);
}

void say_lengths(TextPage& page, const TraceStats& stats) {
  page.say("\n{:<11}", stats.tokens_estimated ? "estimated" : "tokens");
  for (const LengthColumn& column : length_columns) page.say("{:>8}", column.title);
  page.say("{:>9}\n", "mean");
  say_length_row(page, "prompt", stats.prompt_tokens);
  say_length_row(page, "completion", stats.completion_tokens);
  page.say("correlation of prompt and completion: Pearson {}, Spearman {}\n", number_or_unknown(stats.pearson),
           number_or_unknown(stats.spearman));
}

void say_completion_bins(TextPage& page, const TraceStats& stats) {
  if (stats.completion_by_prompt.empty()) return;
  page.say("\n{:<23}{:>12}{:>16}{:>8}\n", with_token_origin("prompt tokens", stats.tokens_estimated), "requests",
           "completion p50", "p90");
  for (const CompletionByPrompt& bin : stats.completion_by_prompt) {
    page.say("{:>10} to {:>9}{:>12}{:>16}{:>8}\n", figure_count(bin.from + 1), figure_count(bin.to),
             figure_count(bin.n), figure_count(bin.p50), figure_count(bin.p90));
  }
}

void say_clock(TextPage& page, const TraceStats& stats) {
  const ArrivalStats& arrivals = *stats.arrivals;
  page.say("  stamps    {} requests have a time, {} of them that of the one before\n", figure_count(arrivals.stamped),
           figure_count(arrivals.equal_stamps));
  if (stats.time_resolution_ms) page.say("  clock     steps of {:.6g} ms\n", *stats.time_resolution_ms);
  if (arrivals.coarse) page.say("  coarse    the clock's step is over 1 s: gaps and seconds mean little\n");
}

void say_arrivals(TextPage& page, const TraceStats& stats) {
  if (!stats.arrivals) {
    page.say("\narrivals    unknown: the log has no times\n");
    return;
  }
  const ArrivalStats& arrivals = *stats.arrivals;
  page.say("\narrivals    {:.1f} s, {} requests/s on average\n", arrivals.span_s,
           number_or_unknown(arrivals.rate_per_s));
  page.say("  busiest   {} in a second, ", figure_count(arrivals.busiest_1s));
  if (arrivals.span_s >= 60) {
    page.say("{} in a minute ({:.2f} requests/s)\n", figure_count(arrivals.busiest_60s),
             static_cast<double>(arrivals.busiest_60s) / 60);
  } else {
    page.say("no whole minute\n");
  }
  page.say("  bursts    gap CV {} (Poisson: 1), dispersion {} by second, {} by minute (Poisson: 1)\n",
           number_or_unknown(arrivals.gap_cv, 2), number_or_unknown(arrivals.dispersion_1s, 2),
           number_or_unknown(arrivals.dispersion_60s, 2));
  say_clock(page, stats);
}

void say_cache_sizes(std::string& page, const PrefixProfile& sharing, const TraceStatsExtras& extras) {
  if (sharing.lru.empty()) return;
  std::string words = "hit rate by cache size, least recently used out, " + lru_words(sharing);
  if (extras.kv_bytes_per_token) words += "; bytes are KV of " + (extras.model.empty() ? "the model" : extras.model);
  append_wrapped(page, words, page_width, "  LRU       ", value_column);
  for (const PrefixProfile::LruPoint& point : sharing.lru) {
    const auto bytes = extras.kv_bytes(point.capacity_blocks, sharing.block_size);
    page += fmt::format("            {:>6} {:>12} blocks, {:>3.0f}% of the distinct{}\n", percent(point.token_hit_rate),
                        figure_count(point.capacity_blocks), 100 * point.capacity_fraction,
                        bytes ? ", " + bytes_words(*bytes) : "");
  }
}

std::string hashed_sharing_text(const PrefixProfile& sharing, const TraceStatsExtras& extras) {
  std::string page;
  const auto say = [&](std::string_view first, double rate, std::string_view meaning) {
    append_wrapped(page, fmt::format("{} {}", percent(rate), meaning), page_width, first, value_column);
  };
  say("sharing     ", sharing.token_hit_rate, token_hit_rate_words);
  say("  beyond    ", sharing.token_hit_rate_beyond_first_block, beyond_first_block_words);
  say("  mean      ", sharing.request_hit_rate_mean, request_hit_rate_words);
  say("  full      ", sharing.token_hit_rate_full_blocks, "of prompt tokens, when only whole blocks are shared");
  page += fmt::format("  blocks    {} of {} tokens, {} distinct, {} first block{}\n", figure_count(sharing.blocks),
                      sharing.block_size, figure_count(sharing.unique_blocks), figure_count(sharing.roots),
                      sharing.roots == 1 ? "" : "s");
  page += fmt::format("  requests  {} hit a block, {} two or more\n", percent(sharing.requests_with_hit),
                      percent(sharing.requests_with_two_blocks));
  say_cache_sizes(page, sharing, extras);
  return page;
}

/// What the rates above rest on.
std::string sharing_basis_text(const PrefixProfile& sharing) {
  std::string page;
  if (const std::string words = hit_rate_sample_words(sharing); !words.empty())
    append_wrapped(page, "the rates are " + words, page_width, "  sampled   ", value_column);
  for (const std::string& remark : sharing.remarks)
    append_wrapped(page, remark, page_width, "  remark    ", value_column);
  return page;
}

void say_sharing(TextPage& page, const TraceStats& stats, const TraceStatsExtras& extras) {
  const SharingOrigin origin = stats.sharing ? stats.sharing->origin : SharingOrigin::unknown;
  if (origin == SharingOrigin::unknown) {
    page.say("\nsharing     unknown: the log has no block hashes, cached counts or sessions\n");
  } else if (origin == SharingOrigin::hashed) {
    page.say("\n{}", hashed_sharing_text(*stats.sharing, extras));
  } else {
    page.say("\nsharing     {} of prompt tokens\n", percent(stats.sharing->token_hit_rate));
    page.say("  mean      {} {}\n", percent(stats.sharing->request_hit_rate_mean), request_hit_rate_words);
    page.say("  origin    {}\n", sharing_origin_words(origin));
  }
  if (stats.sharing) page.say("{}", sharing_basis_text(*stats.sharing));
}

void say_sessions(TextPage& page, const TraceStats& stats) {
  if (!stats.sessions) return;
  const SessionStats& sessions = *stats.sessions;
  page.say("\nsessions    {} ({}), turns p50 {}, p90 {}, p99 {}, most {}, mean {:.2f}; {} have one turn\n",
           figure_count(sessions.count), sessions.declared ? "declared" : "inferred", figure_count(sessions.turns.p50),
           figure_count(sessions.turns.p90), figure_count(sessions.turns.p99), figure_count(sessions.turns.max),
           sessions.turns.mean, percent(sessions.single_turn_share));
  if (!sessions.declared) page.say("  origin    {}\n", session_origin_words(sessions));
  page.say("  think     p50 {} s, p90 {} s\n", number_or_unknown(sessions.think_time_p50_s),
           number_or_unknown(sessions.think_time_p90_s));
}

std::string remarks_text(const TraceStats& stats) {
  std::string page = stats.remarks.empty() ? "" : "\n";
  for (const std::string& remark : stats.remarks)
    append_wrapped(page, remark, page_width, "remark      ", value_column);
  return page;
}

}  // namespace

std::string trace_stats_text(const TraceStats& stats, const TraceStatsExtras& extras) {
  TextPage page;
  say_rows(page, stats);
  say_lengths(page, stats);
  say_completion_bins(page, stats);
  say_arrivals(page, stats);
  say_sharing(page, stats, extras);
  say_sessions(page, stats);
  page.say("{}", remarks_text(stats));
  return page.text();
}

}  // namespace loadline
