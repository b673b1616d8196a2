#include "report/trace_stats_text.h"

#include <fmt/format.h>

#include <array>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/text_page.h"

namespace loadline {
namespace {

std::string number_or_unknown(const std::optional<double>& value, int digits = 3) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "unknown";
}
std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string lines_of(const Refused& refused) {
  std::string lines;
  for (const std::uint64_t line : refused.first_lines) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", line);
  const std::string_view more = refused.count > refused.first_lines.size() ? ", ..." : "";
  return fmt::format("line{} {}{}", refused.count == 1 ? "" : "s", lines, more);
}

void say_rows(TextPage& page, const TraceStats& stats) {
  page.say("{}\n", escape_terminal(stats.source));
  page.say("format      {}\n", escape_terminal(stats.format));
  page.say("rows        {} used of {} read\n", figure_count(stats.rows), figure_count(stats.read));
  for (const auto& [reason, refused] : stats.refused) {
    page.say("  refused   {:>10}  {:<22} {}\n", figure_count(refused.count), escape_terminal(reason),
             lines_of(refused));
  }
  for (const auto& [reason, count] : stats.filtered) {
    page.say("  left out  {:>10}  {}\n", figure_count(count), escape_terminal(reason));
  }
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
  for (const LengthColumn& column : length_columns) page.say("{:>8}", figure_count(lengths.*(column.value)));
  page.say("{:>9.1f}\n", lengths.mean);
}

void say_lengths(TextPage& page, const TraceStats& stats) {
  page.say("\n{:<11}", "tokens");
  for (const LengthColumn& column : length_columns) page.say("{:>8}", column.title);
  page.say("{:>9}\n", "mean");
  say_length_row(page, "prompt", stats.prompt_tokens);
  say_length_row(page, "completion", stats.completion_tokens);
  page.say("correlation of prompt and completion: Pearson {}, Spearman {}\n", number_or_unknown(stats.pearson),
           number_or_unknown(stats.spearman));
}

void say_completion_bins(TextPage& page, const TraceStats& stats) {
  if (stats.completion_by_prompt.empty()) return;
  page.say("\n{:<23}{:>12}{:>16}{:>8}\n", "prompt tokens", "requests", "completion p50", "p90");
  for (const CompletionByPrompt& bin : stats.completion_by_prompt) {
    page.say("{:>10} to {:>9}{:>12}{:>16}{:>8}\n", figure_count(bin.from + 1), figure_count(bin.to),
             figure_count(bin.n), figure_count(bin.p50), figure_count(bin.p90));
  }
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
  if (stats.time_resolution_ms) page.say("  clock     steps of {:.6g} ms\n", *stats.time_resolution_ms);
  if (arrivals.coarse) page.say("  coarse    the clock's step is over 1 s: gaps and seconds mean little\n");
}

void say_hashed_sharing(TextPage& page, const PrefixProfile& sharing) {
  page.say("\nsharing     {} of prompt tokens could come from a prefix cache that forgets nothing\n",
           percent(sharing.token_hit_rate));
  page.say("  blocks    {} of {} tokens, {} distinct, {} first block{}\n", figure_count(sharing.blocks),
           sharing.block_size, figure_count(sharing.unique_blocks), figure_count(sharing.roots),
           sharing.roots == 1 ? "" : "s");
  page.say("  of it     {} in full blocks, {} beyond each request's first block\n",
           percent(sharing.token_hit_rate_full_blocks), percent(sharing.token_hit_rate_beyond_first_block));
  page.say("  requests  {} hit a block, {} two or more; {} of a request on average\n",
           percent(sharing.requests_with_hit), percent(sharing.requests_with_two_blocks),
           percent(sharing.request_hit_rate_mean));
  for (const PrefixProfile::LruPoint& point : sharing.lru) {
    page.say("  {:<10}{} with a cache of {} blocks ({:.0f}% of the distinct), least recently used out\n", "LRU",
             percent(point.token_hit_rate), figure_count(point.capacity_blocks), 100 * point.capacity_fraction);
  }
}

void say_sharing(TextPage& page, const TraceStats& stats) {
  const SharingOrigin origin = stats.sharing ? stats.sharing->origin : SharingOrigin::unknown;
  if (origin == SharingOrigin::unknown) {
    page.say("\nsharing     unknown: the log has no block hashes, cached counts or sessions\n");
  } else if (origin == SharingOrigin::hashed) {
    say_hashed_sharing(page, *stats.sharing);
  } else {
    const bool counted = origin == SharingOrigin::cached_counts;
    page.say("\nsharing     {} of prompt tokens, {} of a request on average\n", percent(stats.sharing->token_hit_rate),
             percent(stats.sharing->request_hit_rate_mean));
    page.say("  origin    {}\n", counted
                                     ? "cached counts: what the logging server's cache did, not what the prompts share"
                                     : "sessions: each turn is taken to begin with the prompt before it");
  }
}

void say_sessions(TextPage& page, const TraceStats& stats) {
  if (!stats.sessions) return;
  const SessionStats& sessions = *stats.sessions;
  page.say("\nsessions    {} ({}), turns p50 {}, p90 {}, p99 {}, most {}, mean {:.2f}; {} have one turn\n",
           figure_count(sessions.count), sessions.declared ? "declared" : "inferred", figure_count(sessions.turns.p50),
           figure_count(sessions.turns.p90), figure_count(sessions.turns.p99), figure_count(sessions.turns.max),
           sessions.turns.mean, percent(sessions.single_turn_share));
  page.say("  think     p50 {} s, p90 {} s\n", number_or_unknown(sessions.think_time_p50_s),
           number_or_unknown(sessions.think_time_p90_s));
}

}  // namespace

std::string trace_stats_text(const TraceStats& stats) {
  TextPage page;
  say_rows(page, stats);
  say_lengths(page, stats);
  say_completion_bins(page, stats);
  say_arrivals(page, stats);
  say_sharing(page, stats);
  say_sessions(page, stats);
  return page.text();
}

}  // namespace loadline
