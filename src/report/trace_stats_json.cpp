#include "report/trace_stats_json.h"

#include <nlohmann/json.hpp>

#include "report/report_json_parts.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

Json trace_lengths(const LengthSummary& l) {
  if (l.n == 0) return nullptr;
  return {{"min", l.min},
          {"p1", l.p1},
          {"p5", l.p5},
          {"p10", l.p10},
          {"p25", l.p25},
          {"p50", l.p50},
          {"p75", l.p75},
          {"p90", l.p90},
          {"p95", l.p95},
          {"p99", l.p99},
          {"p99_9", l.p99_9},
          {"max", l.max},
          {"mean", json_number(l.mean)}};
}

Json refused_counts(const TraceStats& stats) {
  Json counts = Json::object();
  for (const auto& [reason, refused] : stats.refused) counts[reason] = refused.count;
  return counts;
}

Json first_refused_lines(const TraceStats& stats) {
  Json lines = Json::object();
  for (const auto& [reason, refused] : stats.refused) {
    lines[reason] = refused.first_lines;
    if (!refused.first_files.empty()) lines[reason] = refused_places(refused);
  }
  return lines;
}

Json filtered_counts(const TraceStats& stats) {
  Json counts = Json::object();
  for (const auto& [reason, count] : stats.filtered) counts[reason] = count;
  return counts;
}

Json completion_bins(const TraceStats& stats) {
  Json bins = Json::array();
  for (const CompletionByPrompt& bin : stats.completion_by_prompt) {
    bins.push_back({{"from", bin.from}, {"to", bin.to}, {"n", bin.n}, {"p50", bin.p50}, {"p90", bin.p90}});
  }
  return bins;
}

Json trace_arrivals(const std::optional<ArrivalStats>& arrivals) {
  if (!arrivals) return nullptr;
  return {{"span_s", json_number(arrivals->span_s)},
          {"rate_per_s", json_number(arrivals->rate_per_s)},
          {"gap_cv", json_number(arrivals->gap_cv)},
          {"dispersion_1s", json_number(arrivals->dispersion_1s)},
          {"dispersion_60s", json_number(arrivals->dispersion_60s)},
          {"busiest_1s", arrivals->busiest_1s},
          {"busiest_60s", arrivals->busiest_60s},
          {"coarse", arrivals->coarse},
          {"stamped", arrivals->stamped},
          {"equal_stamps", arrivals->equal_stamps}};
}

Json lru_points(const PrefixProfile& sharing, const TraceStatsExtras& extras) {
  Json points = Json::array();
  for (const PrefixProfile::LruPoint& point : sharing.lru) {
    points.push_back({{"capacity_fraction", point.capacity_fraction},
                      {"capacity_blocks", point.capacity_blocks},
                      {"token_hit_rate", json_number(point.token_hit_rate)},
                      {"capacity_bytes", json_number(extras.kv_bytes(point.capacity_blocks, sharing.block_size))}});
  }
  return points;
}

Json trace_sharing(const std::optional<PrefixProfile>& known, const TraceStatsExtras& extras) {
  const PrefixProfile sharing = known.value_or(PrefixProfile{});
  const bool any = sharing.origin != SharingOrigin::unknown, hashed = sharing.origin == SharingOrigin::hashed;
  const auto when = [](bool holds, Json value) { return holds ? value : Json(nullptr); };
  return {{"origin", std::string(name(sharing.origin))},
          {"block_size", when(hashed, sharing.block_size)},
          {"blocks", when(hashed, sharing.blocks)},
          {"unique_blocks", when(hashed, sharing.unique_blocks)},
          {"token_hit_rate", when(any, json_number(sharing.token_hit_rate))},
          {"token_hit_rate_full_blocks", when(hashed, json_number(sharing.token_hit_rate_full_blocks))},
          {"token_hit_rate_beyond_first_block", when(hashed, json_number(sharing.token_hit_rate_beyond_first_block))},
          {"request_hit_rate_mean", when(any, json_number(sharing.request_hit_rate_mean))},
          {"requests_with_hit", when(any, json_number(sharing.requests_with_hit))},
          {"requests_with_two_blocks", when(hashed, json_number(sharing.requests_with_two_blocks))},
          {"roots", when(hashed, sharing.roots)},
          {"lru", when(hashed, lru_points(sharing, extras))},
          {"lru_sampled_share", when(any, json_number(sharing.lru_sampled_share))},
          {"lru_error", when(hashed, json_number(sharing.lru_error))},
          {"hit_rate_error", when(any, json_number(sharing.hit_rate_error))},
          {"remarks", sharing.remarks}};
}

Json trace_sessions(const std::optional<SessionStats>& sessions) {
  if (!sessions) return nullptr;
  const LengthSummary& turns = sessions->turns;
  return {{"origin", sessions->declared ? "declared" : "inferred"},
          {"count", sessions->count},
          {"turns",
           {{"p50", turns.p50},
            {"p90", turns.p90},
            {"p99", turns.p99},
            {"max", turns.max},
            {"mean", json_number(turns.mean)}}},
          {"single_turn_share", json_number(sessions->single_turn_share)},
          {"think_time_s",
           {{"p50", json_number(sessions->think_time_p50_s)}, {"p90", json_number(sessions->think_time_p90_s)}}}};
}

}  // namespace

std::string trace_stats_json(const TraceStats& stats, const TraceStatsExtras& extras) {
  const Json object = {{"format", json_text(stats.format)},
                       {"read", stats.read},
                       {"rows", stats.rows},
                       {"refused", refused_counts(stats)},
                       {"refused_lines", first_refused_lines(stats)},
                       {"filtered", filtered_counts(stats)},
                       {"time_resolution_ms", json_number(stats.time_resolution_ms)},
                       {"time_zone", json_text(stats.time_zone)},
                       {"started", json_text(started_text(stats))},
                       {"tokens", tokens_name(stats)},
                       {"tokens_per_character", json_number(stats.tokens_per_character)},
                       {"prompt_tokens", trace_lengths(stats.prompt_tokens)},
                       {"completion_tokens", trace_lengths(stats.completion_tokens)},
                       {"pearson", json_number(stats.pearson)},
                       {"spearman", json_number(stats.spearman)},
                       {"completion_by_prompt", completion_bins(stats)},
                       {"arrivals", trace_arrivals(stats.arrivals)},
                       {"sharing", trace_sharing(stats.sharing, extras)},
                       {"sessions", trace_sessions(stats.sessions)},
                       {"remarks", stats.remarks},
                       {"model", json_text(extras.model)},
                       {"kv_bytes_per_token", json_number(extras.kv_bytes_per_token)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace loadline
