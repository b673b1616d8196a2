#include "report/trace_stats_text.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "report/escape.h"

namespace loadline {
namespace {

using StatsPage = fmt::memory_buffer;

template <class... Values>
void say(StatsPage& page, fmt::format_string<Values...> form, Values&&... values) {
  fmt::format_to(std::back_inserter(page), form, std::forward<Values>(values)...);
}

/// 19366 as 19,366.
std::string grouped(std::int64_t value) {
  std::string digits = fmt::format("{}", value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}
std::string grouped(std::uint64_t value) { return grouped(static_cast<std::int64_t>(value)); }

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

void say_rows(StatsPage& page, const TraceStats& stats) {
  say(page, "{}\n", escape_terminal(stats.source));
  say(page, "format      {}\n", escape_terminal(stats.format));
  say(page, "rows        {} used of {} read\n", grouped(stats.rows), grouped(stats.read));
  for (const auto& [reason, refused] : stats.refused) {
    say(page, "  refused   {:>10}  {:<22} {}\n", grouped(refused.count), escape_terminal(reason), lines_of(refused));
  }
  for (const auto& [reason, count] : stats.filtered) {
    say(page, "  left out  {:>10}  {}\n", grouped(count), escape_terminal(reason));
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

void say_length_row(StatsPage& page, const char* title, const LengthSummary& lengths) {
  say(page, "{:<11}", title);
  for (const LengthColumn& column : length_columns) say(page, "{:>8}", grouped(lengths.*(column.value)));
  say(page, "{:>9.1f}\n", lengths.mean);
}

void say_lengths(StatsPage& page, const TraceStats& stats) {
  say(page, "\n{:<11}", "tokens");
  for (const LengthColumn& column : length_columns) say(page, "{:>8}", column.title);
  say(page, "{:>9}\n", "mean");
  say_length_row(page, "prompt", stats.prompt_tokens);
  say_length_row(page, "completion", stats.completion_tokens);
  say(page, "correlation of prompt and completion: Pearson {}, Spearman {}\n", number_or_unknown(stats.pearson),
      number_or_unknown(stats.spearman));
}

void say_completion_bins(StatsPage& page, const TraceStats& stats) {
  if (stats.completion_by_prompt.empty()) return;
  say(page, "\n{:<23}{:>12}{:>16}{:>8}\n", "prompt tokens", "requests", "completion p50", "p90");
  for (const CompletionByPrompt& bin : stats.completion_by_prompt) {
    say(page, "{:>10} to {:>9}{:>12}{:>16}{:>8}\n", grouped(bin.from + 1), grouped(bin.to), grouped(bin.n),
        grouped(bin.p50), grouped(bin.p90));
  }
}

void say_arrivals(StatsPage& page, const TraceStats& stats) {
  if (!stats.arrivals) {
    say(page, "\narrivals    unknown: the log has no times\n");
    return;
  }
  const ArrivalStats& arrivals = *stats.arrivals;
  say(page, "\narrivals    {:.1f} s, {} requests/s on average\n", arrivals.span_s,
      number_or_unknown(arrivals.rate_per_s));
  say(page, "  busiest   {} in a second, ", grouped(arrivals.busiest_1s));
  if (arrivals.span_s >= 60) {
    say(page, "{} in a minute ({:.2f} requests/s)\n", grouped(arrivals.busiest_60s),
        static_cast<double>(arrivals.busiest_60s) / 60);
  } else {
    say(page, "no whole minute\n");
  }
  say(page, "  bursts    gap CV {} (Poisson: 1), dispersion {} by second, {} by minute (Poisson: 1)\n",
      number_or_unknown(arrivals.gap_cv, 2), number_or_unknown(arrivals.dispersion_1s, 2),
      number_or_unknown(arrivals.dispersion_60s, 2));
  if (stats.time_resolution_ms) say(page, "  clock     steps of {:.6g} ms\n", *stats.time_resolution_ms);
  if (arrivals.coarse) say(page, "  coarse    the clock's step is over 1 s: gaps and seconds mean little\n");
}

void say_hashed_sharing(StatsPage& page, const PrefixProfile& sharing) {
  say(page, "\nsharing     {} of prompt tokens could come from a prefix cache that forgets nothing\n",
      percent(sharing.token_hit_rate));
  say(page, "  blocks    {} of {} tokens, {} distinct, {} first block{}\n", grouped(sharing.blocks), sharing.block_size,
      grouped(sharing.unique_blocks), grouped(sharing.roots), sharing.roots == 1 ? "" : "s");
  say(page, "  of it     {} in full blocks, {} beyond each request's first block\n",
      percent(sharing.token_hit_rate_full_blocks), percent(sharing.token_hit_rate_beyond_first_block));
  say(page, "  requests  {} hit a block, {} two or more; {} of a request on average\n",
      percent(sharing.requests_with_hit), percent(sharing.requests_with_two_blocks),
      percent(sharing.request_hit_rate_mean));
  for (const PrefixProfile::LruPoint& point : sharing.lru) {
    say(page, "  {:<10}{} with a cache of {} blocks ({:.0f}% of the distinct), least recently used out\n", "LRU",
        percent(point.token_hit_rate), grouped(point.capacity_blocks), 100 * point.capacity_fraction);
  }
}

void say_sharing(StatsPage& page, const TraceStats& stats) {
  const SharingOrigin origin = stats.sharing ? stats.sharing->origin : SharingOrigin::unknown;
  if (origin == SharingOrigin::unknown) {
    say(page, "\nsharing     unknown: the log has no block hashes, cached counts or sessions\n");
  } else if (origin == SharingOrigin::hashed) {
    say_hashed_sharing(page, *stats.sharing);
  } else {
    const bool counted = origin == SharingOrigin::cached_counts;
    say(page, "\nsharing     {} of prompt tokens, {} of a request on average\n", percent(stats.sharing->token_hit_rate),
        percent(stats.sharing->request_hit_rate_mean));
    say(page, "  origin    {}\n",
        counted ? "cached counts: what the logging server's cache did, not what the prompts share"
                : "sessions: each turn is taken to begin with the prompt before it");
  }
}

void say_sessions(StatsPage& page, const TraceStats& stats) {
  if (!stats.sessions) return;
  const SessionStats& sessions = *stats.sessions;
  say(page, "\nsessions    {} ({}), turns p50 {}, p90 {}, p99 {}, most {}, mean {:.2f}; {} have one turn\n",
      grouped(sessions.count), sessions.declared ? "declared" : "inferred", grouped(sessions.turns.p50),
      grouped(sessions.turns.p90), grouped(sessions.turns.p99), grouped(sessions.turns.max), sessions.turns.mean,
      percent(sessions.single_turn_share));
  say(page, "  think     p50 {} s, p90 {} s\n", number_or_unknown(sessions.think_time_p50_s),
      number_or_unknown(sessions.think_time_p90_s));
}

}  // namespace

std::string trace_stats_text(const TraceStats& stats) {
  StatsPage page;
  say_rows(page, stats);
  say_lengths(page, stats);
  say_completion_bins(page, stats);
  say_arrivals(page, stats);
  say_sharing(page, stats);
  say_sessions(page, stats);
  return fmt::to_string(page);
}

}  // namespace loadline
