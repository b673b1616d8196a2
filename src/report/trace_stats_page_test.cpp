#include <gtest/gtest.h>

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
  stats.arrivals = ArrivalStats{3600, 0.25, 1.5, 2.5, std::nullopt, 12, 345, true};
  PrefixProfile sharing;
  sharing.origin = SharingOrigin::hashed;
  sharing.block_size = 512;
  sharing.blocks = 288500;
  sharing.token_hit_rate = 0.374;
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

TEST(TraceStatsJson, HasExactlyTheKeysOfTheManual) {
  const std::string text = trace_stats_json(full_stats());
  EXPECT_EQ(text.back(), '\n');
  const OrderedJson page = OrderedJson::parse(text);
  EXPECT_EQ(stats_keys_of(page), (Keys{"format", "read", "rows", "refused", "filtered", "time_resolution_ms",
                                       "prompt_tokens", "completion_tokens", "pearson", "spearman",
                                       "completion_by_prompt", "arrivals", "sharing", "sessions"}));
  const Keys length_keys{"min", "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99_9", "max", "mean"};
  EXPECT_EQ(stats_keys_of(page["prompt_tokens"]), length_keys);
  EXPECT_EQ(stats_keys_of(page["completion_tokens"]), length_keys);
  EXPECT_EQ(stats_keys_of(page["completion_by_prompt"][0]), (Keys{"from", "to", "n", "p50", "p90"}));
  EXPECT_EQ(stats_keys_of(page["arrivals"]), (Keys{"span_s", "rate_per_s", "gap_cv", "dispersion_1s", "dispersion_60s",
                                                   "busiest_1s", "busiest_60s", "coarse"}));
  EXPECT_EQ(stats_keys_of(page["sharing"]),
            (Keys{"origin", "block_size", "blocks", "unique_blocks", "token_hit_rate", "token_hit_rate_full_blocks",
                  "token_hit_rate_beyond_first_block", "request_hit_rate_mean", "requests_with_hit",
                  "requests_with_two_blocks", "roots", "lru"}));
  EXPECT_EQ(stats_keys_of(page["sharing"]["lru"][0]), (Keys{"capacity_fraction", "capacity_blocks", "token_hit_rate"}));
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
  for (const char* key : {"time_resolution_ms", "pearson", "spearman", "arrivals", "sessions"})
    EXPECT_TRUE(page[key].is_null()) << key;
  EXPECT_EQ(page["sharing"]["origin"], "unknown");
  EXPECT_TRUE(page["sharing"]["token_hit_rate"].is_null());
  EXPECT_TRUE(page["sharing"]["lru"].is_null());
  stats.sharing = PrefixProfile{};
  stats.sharing->origin = SharingOrigin::cached_counts;
  stats.sharing->token_hit_rate = 0.25;
  const OrderedJson counted = OrderedJson::parse(trace_stats_json(stats))["sharing"];
  EXPECT_EQ(counted["origin"], "cached-counts");
  EXPECT_EQ(counted["token_hit_rate"], 0.25);
  EXPECT_TRUE(counted["unique_blocks"].is_null());
}

TEST(TraceStatsText, TellsAllAndKeepsItsWidth) {
  const std::string page = trace_stats_text(full_stats());
  for (const char* part :
       {"1,000 used of 1,004 read", "hash_count_disagrees   line 7", "malformed              lines 3, 9", "blank",
        "Pearson -0.500, Spearman 0.250", "345 in a minute (5.75 requests/s)", "gap CV 1.50", "unknown by minute",
        "over 1 s", "37.4% of prompt tokens", "288,500 of 512 tokens", "1,827 blocks", "4 (declared)"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
  }
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  std::size_t start = 0;
  for (std::size_t end = page.find('\n'); end != std::string::npos; start = end + 1, end = page.find('\n', start)) {
    EXPECT_LE(end - start, 100u) << page.substr(start, end - start);
  }
}

TEST(TraceStatsText, AbsentSaysSo) {
  const std::string page = trace_stats_text(bare_stats());
  EXPECT_NE(page.find("arrivals    unknown: the log has no times"), std::string::npos);
  EXPECT_NE(page.find("sharing     unknown"), std::string::npos);
  EXPECT_NE(page.find("Pearson unknown"), std::string::npos);
  EXPECT_EQ(page.find("sessions  "), std::string::npos);
}

}  // namespace
}  // namespace loadline
