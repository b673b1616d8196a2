#include "report/trace_stats_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/utc_text.h"
#include "report/number_words.h"

namespace loadline {
namespace {

std::string sampled_share_words(const PrefixProfile& sharing) {
  return fmt::format("from {} of the {}, chosen by their ids", figure_percent(sharing.lru_sampled_share),
                     sharing.origin == SharingOrigin::sessions ? "sessions" : "blocks");
}

std::string error_words(const std::optional<double>& error) {
  return error ? fmt::format("; standard error at most {} points", figure_number(100 * *error)) : "";
}

}  // namespace

std::string started_text(const TraceStats& stats) {
  if (!stats.started) return "";
  std::string text = utc_text(*stats.started);
  if (stats.time_zone == "local") text.pop_back();
  return text;
}

std::string started_words(const TraceStats& stats) {
  const std::string text = started_text(stats);
  if (text.empty()) return stats.arrivals ? "unknown: the log's times have no date" : "unknown: the log has no times";
  if (stats.time_zone == "local") return text + ", local time of an unknown zone";
  if (stats.time_zone == "offset") return text + ", from stamps with their own offsets";
  return stats.time_zone.empty() ? text : text + ", stamps in " + stats.time_zone;
}

std::string_view tokens_name(const TraceStats& stats) { return stats.tokens_estimated ? "estimated" : "counted"; }

std::string tokens_words(const TraceStats& stats) {
  if (!stats.tokens_estimated) return "counted by the log";
  if (!stats.tokens_per_character) return "estimated from the length of the texts";
  return fmt::format("estimated, {} tokens a character", figure_number(*stats.tokens_per_character));
}

std::string with_token_origin(std::string_view caption, bool estimated) {
  return std::string(caption) + (estimated ? ", estimated" : "");
}

std::vector<std::string> refused_places(const Refused& refused) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < refused.first_files.size(); ++i)
    places.push_back(fmt::format("{}:{}", refused.first_files[i], refused.first_lines[i]));
  return places;
}

std::string refused_lines(const Refused& refused) {
  if (refused.first_lines.empty()) return "";
  const std::string_view more = refused.count > refused.first_lines.size() ? ", ..." : "";
  if (!refused.first_files.empty()) return fmt::format("{}{}", fmt::join(refused_places(refused), ", "), more);
  return fmt::format("line{} {}{}", refused.count == 1 ? "" : "s", fmt::join(refused.first_lines, ", "), more);
}

std::string sharing_origin_words(SharingOrigin origin) {
  if (origin == SharingOrigin::cached_counts)
    return "cached counts: what the logging server's cache did, not what the prompts share";
  if (origin == SharingOrigin::sessions) return "sessions: each turn is taken to begin with the prompt before it";
  return "";
}

std::string hit_rate_sample_words(const PrefixProfile& sharing) {
  if (sharing.lru_sampled_share >= 1) return "";
  return sampled_share_words(sharing) + error_words(sharing.hit_rate_error);
}

std::string lru_words(const PrefixProfile& sharing) {
  if (sharing.lru_sampled_share >= 1) return "exact";
  return sampled_share_words(sharing) + error_words(sharing.lru_error);
}

std::string bytes_words(double bytes) {
  struct Unit {
    double bytes;
    const char* name;
  };
  constexpr Unit units[] = {{1e15, "PB"}, {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
  for (const Unit& unit : units) {
    if (bytes >= unit.bytes) return fmt::format("{} {}", figure_number(bytes / unit.bytes), unit.name);
  }
  return figure_number(bytes) + " bytes";
}

std::string session_origin_words(const SessionStats& sessions) {
  return sessions.declared ? "declared" : "inferred from prompts that begin with an earlier one";
}

}  // namespace loadline
