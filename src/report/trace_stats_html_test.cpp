#include "report/trace_stats_html.h"

#include <gtest/gtest.h>

#include <chrono>

#include "report/svg_markup_test.h"

namespace loadline {
namespace {

constexpr std::string_view hostile_name = "</title><script>alert(1)</script>\x1b[31m\"'.jsonl";

bool log_page_shows(const std::string& page, std::string_view words) { return page.find(words) != std::string::npos; }

PrefixProfile hashed_profile() {
  PrefixProfile sharing;
  sharing.origin = SharingOrigin::hashed;
  sharing.block_size = 512;
  sharing.blocks = 288500;
  sharing.unique_blocks = 182790;
  sharing.roots = 3;
  sharing.token_hit_rate = 0.374;
  sharing.token_hit_rate_full_blocks = 0.366;
  sharing.token_hit_rate_beyond_first_block = 0.331;
  sharing.request_hit_rate_mean = 0.144;
  sharing.requests_with_hit = 0.912;
  sharing.requests_with_two_blocks = 0.403;
  sharing.lru = {{0.01, 1827, 0.053}, {0.1, 18279, 0.201}, {0.5, 91395, 0.338}};
  return sharing;
}

TraceStats whole_log() {
  TraceStats stats;
  stats.source = "gateway.jsonl";
  stats.format = "mooncake";
  stats.read = 12040;
  stats.rows = 12031;
  stats.refused["malformed"] = {2, {3, 9}};
  stats.filtered["blank"] = 7;
  stats.time_resolution_ms = 3000;
  stats.started = std::chrono::seconds(1700158546);
  stats.time_zone = "offset";
  stats.remarks = {"A gateway logs <i>ends</i>."};
  stats.prompt_tokens = {12031, 891, 900, 1100, 1500, 2500, 6402, 11000, 20100, 33000, 61201, 99000, 123192, 12035.2};
  stats.completion_tokens = {12031, 1, 4, 11, 15, 120, 350, 430, 720, 801, 1402, 1999, 2000, 343.5};
  stats.pearson = 0.111;
  stats.spearman = 0.222;
  stats.completion_by_prompt = {{0, 2500, 3007, 330, 701}, {2500, 123192, 9024, 361, 733}};
  stats.arrivals = ArrivalStats{3534, 3.404, 1.21, 2.34, 5.67, 41, 388, 12031, 8500, true};
  stats.sharing = hashed_profile();
  stats.sessions =
      SessionStats{false, 812, {812, 1, 1, 1, 1, 2, 5, 8, 13, 21, 34, 55, 89, 6.5}, 0.25, 12.5, std::nullopt};
  return stats;
}

/// The page without its script and style, whose insides are not markup, and as XML.
std::string log_page_markup(std::string page) {
  for (const auto& [opening, closing] :
       {std::pair<std::string, std::string>{"<style", "</style>"}, {"<script nonce", "</script>"}}) {
    for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening)) {
      page.erase(at, page.find(closing, at) + closing.size() - at);
    }
  }
  page.erase(0, page.find("<body>"));
  return page.substr(0, page.find("</html>"));
}

TEST(TraceStatsHtml, IsOneSelfContainedPage) {
  const std::string page = trace_stats_html(whole_log(), {163840, "a-model"});
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_EQ(markup_fault(log_page_markup(page)), "");
  EXPECT_TRUE(log_page_shows(page, "default-src 'none'"));
  for (const char* loads : {" src=", "@import", "url(", "<link", "<iframe", "fetch(", "javascript:", " style="})
    EXPECT_FALSE(log_page_shows(page, loads)) << loads;
  for (const char* id : {"lengths", "completions", "arrivals", "sessions", "sharing", "books"}) {
    EXPECT_EQ(times_in(page, "<section id=\"" + std::string(id) + "\""), 1u) << id;
    EXPECT_EQ(times_in(page, "<a href=\"#" + std::string(id) + "\""), 1u) << id;
  }
  EXPECT_EQ(times_in(page, "<svg"), 6u) << "three figures, each wide and narrow";
}

TEST(TraceStatsHtml, EveryNumberStandsInItsPlace) {
  const std::string page = trace_stats_html(whole_log());
  for (
      const char* words :
      {"<h1>12,031 requests in 3,534 s: prompt p50 6,402, p99 61,201 and completion p50 350, p99 1,402 tokens</h1>",
       "<dt>Rows used</dt><dd>12,031 of 12,040 read</dd>",
       "<dt>Started</dt><dd>2023-11-16T18:15:46Z, from stamps with their own offsets</dd>",
       "<dt>Lengths</dt><dd>counted by the log</dd>",
       "<th scope=\"row\">completion</th><td class=\"n\" data-v=\"12031\">12,031</td><td class=\"n\" data-v=\"1\">1</td>",
       "Pearson 0.111, Spearman (ranks) 0.222",
       "data-v=\"2501\">2,501</th><td class=\"n\" data-v=\"123192\">123,192</td><td class=\"n\" data-v=\"9024\">9,024</td>"
       "<td class=\"n\" data-v=\"361\">361</td><td class=\"n\" data-v=\"733\">733</td>",
       "3,534 s, 3.40 requests/s", "41 requests in a second, 388 requests in a minute (6.47 requests/s)",
       "<dt>CV of the gaps</dt><dd>1.21 (Poisson: 1)</dd>", "2.34 by second, 5.67 by minute",
       "12,031 requests have a time, 8,500 of them that of the one before", "steps of 3,000 ms", "step is over 1 s",
       "812, inferred from prompts that begin with an earlier one", "p50 5, p90 13, p99 34, most 89, mean 6.50",
       "25.0%", "p50 12.5 s, p90 unknown", "A gateway logs &lt;i&gt;ends&lt;/i&gt;."}) {
    EXPECT_TRUE(log_page_shows(page, words)) << words;
  }
}

TEST(TraceStatsHtml, TheHitRatesAreToldApart) {
  const std::string page = trace_stats_html(whole_log());
  for (const char* words :
       {"<dt>Token hit rate</dt><dd>37.4% of prompt tokens could come from a prefix cache that forgets nothing</dd>",
        "<dt>Beyond the first block</dt><dd>33.1% of prompt tokens, each request", "first block left out",
        "<dt>Mean over requests</dt><dd>14.4% of a request", "as the mean over requests",
        "<dt>Whole blocks only</dt><dd>36.6% of prompt tokens", "91.2% hit a block, 40.3% two or more",
        "288,500 of 512 tokens, 182,790 distinct, 3 first blocks", "a cache that forgets nothing: 37.4%",
        "18,279 blocks: 20.1% of prompt tokens", "The curve is exact."}) {
    EXPECT_TRUE(log_page_shows(page, words)) << words;
  }
  EXPECT_FALSE(log_page_shows(page, " GB")) << "no model is named";
}

TEST(TraceStatsHtml, ACacheSizeMeansBytesOfANamedModel) {
  TraceStats stats = whole_log();
  stats.sharing->lru_sampled_share = 0.125;
  stats.sharing->lru_error = 0.004;
  stats.sharing->hit_rate_error = 0.0021;
  stats.sharing->remarks = {"The ids are <not> chained."};
  const std::string page = trace_stats_html(stats, {163840, "<b>m</b>"});
  // 1,827, 18,279 and 91,395 blocks of 512 tokens of 163,840 bytes.
  for (const char* words :
       {"1,827 blocks (153 GB): 5.3% of prompt tokens", "1.53 TB", "7.67 TB",
        "blocks × 512 tokens × 163,840 bytes a token of &lt;b&gt;m&lt;/b&gt;",
        "The curve is from 12.5% of the blocks, chosen by their ids; standard error at most 0.400 points.",
        "The hit rates are from 12.5% of the blocks, chosen by their ids; standard error at most 0.210 points.",
        "The ids are &lt;not&gt; chained."}) {
    EXPECT_TRUE(log_page_shows(page, words)) << words;
  }
}

TEST(TraceStatsHtml, TheBooksListEveryReasonWithItsLines) {
  const std::string page = trace_stats_html(whole_log());
  const std::string books = page.substr(page.find("<section id=\"books\""));
  for (const char* words : {"read = used + refused + filtered", "data-v=\"12040\">12,040", "data-v=\"12031\">12,031",
                            "<td>malformed</td><td class=\"n\" data-v=\"2\">2</td><td>lines 3, 9</td>",
                            "<td>blank</td><td class=\"n\" data-v=\"7\">7</td>"}) {
    EXPECT_TRUE(log_page_shows(books, words)) << words;
  }
}

TEST(TraceStatsHtml, EstimatedStandsBesideEveryTableOfLengths) {
  TraceStats stats = whole_log();
  EXPECT_FALSE(log_page_shows(trace_stats_html(stats), "estimated"));
  stats.tokens_estimated = true;
  stats.tokens_per_character = 0.25;
  const std::string page = trace_stats_html(stats);
  for (const char* words :
       {"p99 1,402 tokens, estimated</h1>",
        "<caption>Lengths in tokens, quantiles by nearest rank, estimated</caption>",
        "<caption>Completion tokens by prompt length, estimated</caption>", "estimated, 0.250 tokens a character"}) {
    EXPECT_TRUE(log_page_shows(page, words)) << words;
  }
}

TEST(TraceStatsHtml, AbsentStaysAbsent) {
  TraceStats stats;
  stats.source = "empty.csv";
  stats.format = "azure";
  const std::string page = trace_stats_html(stats);
  EXPECT_EQ(markup_fault(log_page_markup(page)), "");
  EXPECT_FALSE(log_page_shows(page, "<svg"));
  EXPECT_FALSE(log_page_shows(page, "id=\"completions\""));
  for (const char* words :
       {"prompt lengths unknown and completion lengths unknown", "Unknown: the log has no times.",
        "Unknown: the log does not say which requests belong together.", "Unknown: the log has no block hashes",
        "the log does not tell it of any request", "unknown: the log has no times"}) {
    EXPECT_TRUE(log_page_shows(page, words)) << words;
  }
  EXPECT_FALSE(log_page_shows(page, "<dt>Model</dt>"));
}

TEST(TraceStatsHtml, LengthsOfZeroAndOneBlockDoNotBreakTheFigures) {
  TraceStats stats = whole_log();
  stats.completion_tokens = {5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  stats.completion_by_prompt = {{0, 1, 5, 0, 0}};
  stats.sharing->lru = {{0.01, 0, 0.0}};
  EXPECT_EQ(markup_fault(log_page_markup(trace_stats_html(stats))), "");
  EXPECT_EQ(times_in(trace_stats_html(stats), "<svg"), 2u) << "only the prompts can stand on a logarithmic axis";
}

TEST(TraceStatsHtml, ForeignTextIsHarmless) {
  TraceStats stats = whole_log();
  stats.source = stats.format = hostile_name;
  stats.refused[std::string(hostile_name)] = {1, {1}};
  stats.filtered[std::string(hostile_name)] = 1;
  stats.remarks = {std::string(hostile_name)};
  const std::string page = trace_stats_html(stats, {1, std::string(hostile_name)});
  EXPECT_EQ(markup_fault(log_page_markup(page)), "");
  EXPECT_FALSE(log_page_shows(page, "<script>alert"));
  EXPECT_FALSE(log_page_shows(page, "\x1b"));
  EXPECT_EQ(times_in(page, "</title><script"), 0u);
  EXPECT_GE(times_in(page, "&lt;script&gt;alert(1)"), 8u);
}

}  // namespace
}  // namespace loadline
