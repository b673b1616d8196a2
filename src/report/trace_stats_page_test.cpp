#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "report/trace_stats_json.h"
#include "report/trace_stats_text.h"

namespace loadline {
namespace {

using OrderedJson = nlohmann::ordered_json;

LengthSummary lengths_up_to(std::int64_t most) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 1; i <= most; ++i) lengths.push_back(i);
  return summarise_lengths(lengths);
}

TraceStats bare_stats() {
  TraceStats stats;
  stats.source = "log\x1b[31m.csv";
  stats.format = "azure";
  stats.read = 1004;
  stats.rows = 1000;
  stats.refused["hash_count_disagrees"] = {1, {7}};
  stats.refused["malformed"] = {2, {3, 9}};
  stats.filtered["blank"] = 1;
  stats.prompt_tokens = stats.completion_tokens = lengths_up_to(1000);
  stats.completion_by_prompt = {{0, 100, 100, 50, 90}};
  return stats;
}

TraceStats full_stats() {
  TraceStats stats = bare_stats();
  stats.time_resolution_ms = 3000;
  stats.pearson = -0.5;
  stats.spearman = 0.25;
  stats.arrivals = ArrivalStats{3600, 0.25, 1.5, 2.5, std::nullopt, 12, 345, 990, 77, true};
  stats.started = std::chrono::seconds(1700158546) + std::chrono::milliseconds(680);  // date -u -d @1700158546
  stats.time_zone = "UTC";
  stats.remarks = {
      "Ends were logged, not \x1b[31marrivals, and no duration: <b>arrivals</b> are late by the time that "
      "each answer took."};
  PrefixProfile sharing;
  sharing.origin = SharingOrigin::hashed;
  sharing.block_size = 512;
  sharing.blocks = 288500;
  sharing.token_hit_rate = 0.374;
  sharing.token_hit_rate_beyond_first_block = 0.281;
  sharing.request_hit_rate_mean = 0.144;
  sharing.lru = {{0.01, 1827, 0.053}};
  stats.sharing = sharing;
  SessionStats sessions;
  sessions.declared = true;
  sessions.count = 4;
  sessions.turns = lengths_up_to(4);
  stats.sessions = sessions;
  return stats;
}

std::vector<std::string> stats_keys_of(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}
using Keys = std::vector<std::string>;

/// 40 layers, 8 KV heads of 128, keys and values of 2 bytes: 163,840 bytes a token.
const TraceStatsExtras a_model{163840, "a-model"};

bool has_words(const std::string& page, std::string_view words) { return page.find(words) != std::string::npos; }

/// Lines longer than a terminal page may be.
std::vector<std::string> lines_over(const std::string& page, std::size_t width) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = page.find('\n'); end != std::string::npos; start = end + 1, end = page.find('\n', start)) {
    if (end - start > width) lines.push_back(page.substr(start, end - start));
  }
  return lines;
}

TEST(TraceStatsJson, HasExactlyTheKeysOfTheManual) {
  const std::string text = trace_stats_json(full_stats());
  EXPECT_EQ(text.back(), '\n');
  const OrderedJson page = OrderedJson::parse(text);
  EXPECT_EQ(stats_keys_of(page), (Keys{"format",
                                       "read",
                                       "rows",
                                       "refused",
                                       "refused_lines",
                                       "filtered",
                                       "time_resolution_ms",
                                       "time_zone",
                                       "started",
                                       "tokens",
                                       "tokens_per_character",
                                       "prompt_tokens",
                                       "completion_tokens",
                                       "pearson",
                                       "spearman",
                                       "completion_by_prompt",
                                       "arrivals",
                                       "sharing",
                                       "sessions",
                                       "remarks",
                                       "model",
                                       "kv_bytes_per_token"}));
  const Keys length_keys{"min", "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99_9", "max", "mean"};
  EXPECT_EQ(stats_keys_of(page["prompt_tokens"]), length_keys);
  EXPECT_EQ(stats_keys_of(page["completion_tokens"]), length_keys);
  EXPECT_EQ(stats_keys_of(page["completion_by_prompt"][0]), (Keys{"from", "to", "n", "p50", "p90"}));
  EXPECT_EQ(stats_keys_of(page["arrivals"]), (Keys{"span_s", "rate_per_s", "gap_cv", "dispersion_1s", "dispersion_60s",
                                                   "busiest_1s", "busiest_60s", "coarse", "stamped", "equal_stamps"}));
  EXPECT_EQ(stats_keys_of(page["sharing"]),
            (Keys{"origin", "block_size", "blocks", "unique_blocks", "token_hit_rate", "token_hit_rate_full_blocks",
                  "token_hit_rate_beyond_first_block", "request_hit_rate_mean", "requests_with_hit",
                  "requests_with_two_blocks", "roots", "lru", "lru_sampled_share", "lru_error", "hit_rate_error",
                  "remarks"}));
  EXPECT_EQ(stats_keys_of(page["sharing"]["lru"][0]),
            (Keys{"capacity_fraction", "capacity_blocks", "token_hit_rate", "capacity_bytes"}));
  EXPECT_EQ(stats_keys_of(page["sessions"]), (Keys{"origin", "count", "turns", "single_turn_share", "think_time_s"}));
  EXPECT_EQ(stats_keys_of(page["sessions"]["turns"]), (Keys{"p50", "p90", "p99", "max", "mean"}));
  EXPECT_EQ(stats_keys_of(page["sessions"]["think_time_s"]), (Keys{"p50", "p90"}));
}

TEST(TraceStatsJson, ValuesAndBooks) {
  const OrderedJson page = OrderedJson::parse(trace_stats_json(full_stats()));
  EXPECT_EQ(page["refused"], (OrderedJson{{"hash_count_disagrees", 1}, {"malformed", 2}}));
  EXPECT_EQ(page["filtered"], (OrderedJson{{"blank", 1}}));
  EXPECT_EQ(page["prompt_tokens"]["p99_9"], 999);
  EXPECT_EQ(page["pearson"], -0.5);
  EXPECT_TRUE(page["arrivals"]["dispersion_60s"].is_null());
  EXPECT_EQ(page["arrivals"]["coarse"], true);
  EXPECT_EQ(page["sharing"]["origin"], "hashed");
  EXPECT_EQ(page["sharing"]["lru"][0]["capacity_blocks"], 1827);
  EXPECT_TRUE(page["sessions"]["think_time_s"]["p50"].is_null());
  EXPECT_EQ(page["sessions"]["origin"], "declared");
}

TEST(TraceStatsJson, AbsentIsNull) {
  TraceStats stats = bare_stats();
  const OrderedJson page = OrderedJson::parse(trace_stats_json(stats));
  for (const char* key : {"time_resolution_ms", "time_zone", "started", "tokens_per_character", "pearson", "spearman",
                          "arrivals", "sessions", "model", "kv_bytes_per_token"})
    EXPECT_TRUE(page[key].is_null()) << key;
  EXPECT_EQ(page["sharing"]["origin"], "unknown");
  EXPECT_TRUE(page["sharing"]["token_hit_rate"].is_null());
  EXPECT_TRUE(page["sharing"]["lru"].is_null());
  EXPECT_TRUE(page["sharing"]["lru_sampled_share"].is_null());
  EXPECT_EQ(page["remarks"], OrderedJson::array());
  stats.sharing = PrefixProfile{};
  stats.sharing->origin = SharingOrigin::cached_counts;
  stats.sharing->token_hit_rate = 0.25;
  const OrderedJson counted = OrderedJson::parse(trace_stats_json(stats))["sharing"];
  EXPECT_EQ(counted["origin"], "cached-counts");
  EXPECT_EQ(counted["token_hit_rate"], 0.25);
  EXPECT_TRUE(counted["unique_blocks"].is_null());
}

TEST(TraceStatsJson, RefusedLinesOfSeveralFilesNameThem) {
  TraceStats stats = bare_stats();
  stats.refused["malformed"].first_files = {"a.csv", "b\x1b[31m.csv"};
  OrderedJson page = OrderedJson::parse(trace_stats_json(stats));
  EXPECT_EQ(page["refused_lines"],
            (OrderedJson{{"hash_count_disagrees", {7}}, {"malformed", {"a.csv:3", "b\x1b[31m.csv:9"}}}));
  const std::string text = trace_stats_text(stats);
  EXPECT_NE(text.find("malformed"), std::string::npos);
  EXPECT_NE(text.find(" a.csv:3, b[31m.csv:9\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(TraceStatsJson, WhatTheLogCouldTellOfItself) {
  OrderedJson page = OrderedJson::parse(trace_stats_json(full_stats()));
  EXPECT_EQ(page["refused_lines"], (OrderedJson{{"hash_count_disagrees", {7}}, {"malformed", {3, 9}}}));
  EXPECT_EQ(page["time_zone"], "UTC");
  EXPECT_EQ(page["started"], "2023-11-16T18:15:46.68Z");
  EXPECT_EQ(page["tokens"], "counted");
  EXPECT_TRUE(page["tokens_per_character"].is_null());
  EXPECT_EQ(page["arrivals"]["stamped"], 990);
  EXPECT_EQ(page["arrivals"]["equal_stamps"], 77);
  EXPECT_EQ(page["remarks"].size(), 1u);
  TraceStats local = full_stats();
  local.time_zone = "local";
  local.tokens_estimated = true;
  local.tokens_per_character = 0.25;
  page = OrderedJson::parse(trace_stats_json(local));
  EXPECT_EQ(page["started"], "2023-11-16T18:15:46.68") << "a local time is not said to be UTC";
  EXPECT_EQ(page["tokens"], "estimated");
  EXPECT_EQ(page["tokens_per_character"], 0.25);
}

TEST(TraceStatsJson, ACacheSizeInBytesNeedsAModel) {
  OrderedJson page = OrderedJson::parse(trace_stats_json(full_stats()));
  EXPECT_TRUE(page["sharing"]["lru"][0]["capacity_bytes"].is_null());
  EXPECT_TRUE(page["model"].is_null());
  page = OrderedJson::parse(trace_stats_json(full_stats(), a_model));
  EXPECT_EQ(page["sharing"]["lru"][0]["capacity_bytes"], 153259868160.0);  // 1827 x 512 x 163840
  EXPECT_EQ(page["model"], "a-model");
  EXPECT_EQ(page["kv_bytes_per_token"], 163840);
}

TEST(TraceStatsJson, ASampledCurveHasItsError) {
  TraceStats stats = full_stats();
  OrderedJson sharing = OrderedJson::parse(trace_stats_json(stats))["sharing"];
  EXPECT_EQ(sharing["lru_sampled_share"], 1);
  EXPECT_TRUE(sharing["lru_error"].is_null());
  stats.sharing->lru_sampled_share = 0.125;
  stats.sharing->lru_error = 0.0034;
  stats.sharing->hit_rate_error = 0.0021;
  stats.sharing->remarks = {"sampled"};
  sharing = OrderedJson::parse(trace_stats_json(stats))["sharing"];
  EXPECT_EQ(sharing["lru_sampled_share"], 0.125);
  EXPECT_EQ(sharing["lru_error"], 0.0034);
  EXPECT_EQ(sharing["hit_rate_error"], 0.0021);
  EXPECT_EQ(sharing["remarks"], OrderedJson::array({"sampled"}));
}

TEST(TraceStatsText, TellsAllAndKeepsItsWidth) {
  const std::string page = trace_stats_text(full_stats(), a_model);
  for (const char* part : {"1,000 used of 1,004 read",
                           "hash_count_disagrees   line 7",
                           "malformed              lines 3, 9",
                           "blank",
                           "started     2023-11-16T18:15:46.68Z, stamps in UTC",
                           "lengths     counted",
                           "Pearson -0.500, Spearman 0.250",
                           "345 in a minute (5.75 requests/s)",
                           "gap CV 1.50",
                           "unknown by minute",
                           "990 requests have a time, 77 of them",
                           "over 1 s",
                           "37.4% of prompt tokens could come from",
                           "28.1% of prompt tokens, each request's first block left",
                           "14.4% of a request's prompt, as the mean",
                           "288,500 of 512 tokens",
                           "exact; bytes are KV of a-model",
                           "5.3%        1,827 blocks,   1% of the distinct, 153 GB",
                           "4 (declared)",
                           "remark      Ends were logged"}) {
    EXPECT_TRUE(has_words(page, part)) << part << "\n" << page;
  }
  EXPECT_FALSE(has_words(page, "\x1b"));
  EXPECT_EQ(lines_over(page, 100), std::vector<std::string>{});
}

TEST(TraceStatsText, TenLinesOfALongLogAreWrapped) {
  TraceStats stats = bare_stats();
  stats.refused["no_completion"] = {90000000, {}};
  for (std::uint64_t i = 0; i < 10; ++i) stats.refused["no_completion"].first_lines.push_back(1000000000 + i);
  const std::string page = trace_stats_text(stats);
  EXPECT_TRUE(has_words(page, "1000000009, ..."));
  EXPECT_EQ(lines_over(page, 100), std::vector<std::string>{});
}

TEST(TraceStatsText, EstimatedStandsBesideEveryTableOfLengths) {
  TraceStats stats = full_stats();
  EXPECT_FALSE(has_words(trace_stats_text(stats), "estimated"));
  stats.tokens_estimated = true;
  stats.tokens_per_character = 0.25;
  const std::string page = trace_stats_text(stats);
  EXPECT_TRUE(has_words(page, "lengths     estimated, 0.250 tokens a character"));
  EXPECT_TRUE(has_words(page, "\nestimated       min")) << page;
  EXPECT_TRUE(has_words(page, "\nprompt tokens, estimated")) << page;
}

TEST(TraceStatsText, InferredSessionsAndSampledCurvesSaySo) {
  TraceStats stats = full_stats();
  stats.sessions->declared = false;
  stats.sharing->lru_sampled_share = 0.125;
  stats.sharing->lru_error = 0.0034;
  stats.sharing->hit_rate_error = 0.0021;
  stats.sharing->remarks = {"The ids are \x1b[31mnot chained."};
  const std::string page = trace_stats_text(stats);
  EXPECT_TRUE(has_words(page, "4 (inferred)"));
  EXPECT_TRUE(has_words(page, "  origin    inferred from prompts that begin with an earlier one"));
  EXPECT_TRUE(has_words(page, "least recently used out, from 12.5% of the blocks")) << page;
  EXPECT_TRUE(has_words(page, "0.340 points")) << page;
  EXPECT_TRUE(has_words(page, "  sampled   the rates are from 12.5% of the blocks")) << page;
  EXPECT_TRUE(has_words(page, "0.210 points")) << page;
  EXPECT_TRUE(has_words(page, "  remark    The ids are [31mnot chained.\n")) << page;
  EXPECT_FALSE(has_words(page, " GB"));
}

TEST(TraceStatsText, AbsentSaysSo) {
  TraceStats stats = bare_stats();
  stats.completion_tokens = {};
  const std::string page = trace_stats_text(stats);
  EXPECT_TRUE(has_words(page, "arrivals    unknown: the log has no times"));
  EXPECT_TRUE(has_words(page, "started     unknown: the log has no times"));
  EXPECT_TRUE(has_words(page, "sharing     unknown"));
  EXPECT_TRUE(has_words(page, "Pearson unknown"));
  EXPECT_TRUE(has_words(page, "completion  unknown\n")) << page;
  EXPECT_FALSE(has_words(page, "sessions  "));
  EXPECT_FALSE(has_words(page, "remark"));
}

}  // namespace
}  // namespace loadline
