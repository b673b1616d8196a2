#include <fmt/format.h>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/trace_page_figures.h"
#include "report/trace_page_sections.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

std::string rate_words(double rate, std::string_view meaning) {
  return figure_percent(rate) + " " + escape_html(meaning);
}

std::string hashed_rates(const PrefixProfile& sharing) {
  return definition_list(
      {{"Token hit rate", rate_words(sharing.token_hit_rate, token_hit_rate_words)},
       {"Beyond the first block", rate_words(sharing.token_hit_rate_beyond_first_block, beyond_first_block_words)},
       {"Mean over requests", rate_words(sharing.request_hit_rate_mean, request_hit_rate_words)},
       {"Whole blocks only",
        rate_words(sharing.token_hit_rate_full_blocks, "of prompt tokens, when only whole blocks are shared")},
       {"Requests", fmt::format("{} hit a block, {} two or more", figure_percent(sharing.requests_with_hit),
                                figure_percent(sharing.requests_with_two_blocks))},
       {"Blocks",
        fmt::format("{} of {} tokens, {} distinct, {} first block{}", figure_count(sharing.blocks), sharing.block_size,
                    figure_count(sharing.unique_blocks), figure_count(sharing.roots), sharing.roots == 1 ? "" : "s")}});
}

/// What the rates rest on, where that is not the whole log as it is.
std::string rates_basis(const PrefixProfile& sharing) {
  std::string out;
  const auto say = [&](const std::string& words) { out += "<p class=\"notice\">" + escape_html(words) + "</p>\n"; };
  const std::string sampled = hit_rate_sample_words(sharing);
  if (!sampled.empty()) say("The hit rates are " + sampled + ".");
  for (const std::string& remark : sharing.remarks) say(remark);
  return out;
}

std::string cache_size_table(const PrefixProfile& sharing, const TraceStatsExtras& extras) {
  HtmlTable table("Token hit rate by cache size, least recently used out");
  table.column("blocks").column("of the distinct");
  if (extras.kv_bytes_per_token) table.column("KV");
  table.column("token hit rate");
  for (const PrefixProfile::LruPoint& point : sharing.lru) {
    std::vector<HtmlCell> cells = {count_cell(point.capacity_blocks), percent_cell(point.capacity_fraction, "")};
    if (const auto bytes = extras.kv_bytes(point.capacity_blocks, sharing.block_size))
      cells.push_back(setting_cell(*bytes, bytes_words(*bytes)));
    cells.push_back(percent_cell(point.token_hit_rate, ""));
    table.row(std::move(cells));
  }
  return table.sortable().html();
}

std::string cache_size_caption(const PrefixProfile& sharing, const TraceStatsExtras& extras) {
  std::string words = "The curve is " + lru_words(sharing) + ".";
  if (extras.kv_bytes_per_token) {
    words += fmt::format(" KV: blocks × {} tokens × {} bytes a token{}.", sharing.block_size,
                         figure_setting(*extras.kv_bytes_per_token), extras.model.empty() ? "" : " of " + extras.model);
  }
  return "<p class=\"quiet\">" + escape_html(words) + "</p>\n";
}

std::string cache_sizes(const PrefixProfile& sharing, const TraceStatsExtras& extras) {
  if (sharing.lru.empty()) return "";
  return "<h3>Hit rate against cache size</h3>\n" + chart_figure(cache_size_chart(sharing, extras)) +
         cache_size_caption(sharing, extras) + cache_size_table(sharing, extras);
}

}  // namespace

std::string trace_sharing_section(const TraceStats& stats, const TraceStatsExtras& extras) {
  const PrefixProfile sharing = stats.sharing.value_or(PrefixProfile{});
  std::string body;
  if (sharing.origin == SharingOrigin::unknown) {
    body = "<p class=\"quiet\">Unknown: the log has no block hashes, cached counts or sessions.</p>\n";
  } else if (sharing.origin == SharingOrigin::hashed) {
    body = hashed_rates(sharing) + cache_sizes(sharing, extras);
  } else {
    body = definition_list({{"Token hit rate", figure_percent(sharing.token_hit_rate) + " of prompt tokens"},
                            {"Mean over requests", rate_words(sharing.request_hit_rate_mean, request_hit_rate_words)},
                            {"Origin", escape_html(sharing_origin_words(sharing.origin))}});
  }
  return page_section("sharing", "Prefix sharing", rates_basis(sharing) + body);
}

}  // namespace loadline
