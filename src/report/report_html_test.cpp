#include "report/report_html.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/report_words.h"
#include "report/svg_markup_test.h"
#include "report/svg_sample_test.h"

namespace loadline {
namespace {

constexpr std::string_view attack = "</script><img src=x onerror=alert(1)>\"'<!--";

bool shows(const std::string& page, std::string_view words) { return page.find(words) != std::string::npos; }

std::string data_block(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"loadline-data\">";
  const std::size_t from = page.find(opening) + opening.size();
  return page.substr(from, page.find("</script>", from) - from);
}

/// The page without its script, style and data, whose insides are not markup, and as XML.
std::string markup_only(std::string page) {
  for (const auto& [opening, closing] :
       {std::pair<std::string, std::string>{"<style", "</style>"}, {"<script", "</script>"}}) {
    for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening)) {
      page.erase(at, page.find(closing, at) + closing.size() - at);
    }
  }
  page.erase(0, page.find("<body>"));
  return page.substr(0, page.find("</html>"));
}

TEST(ReportHtml, IsOneSelfContainedPage) {
  const std::string page = report_html(page_sample());
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_EQ(markup_fault(markup_only(page)), "");
  EXPECT_TRUE(shows(page, "default-src 'none'"));
  for (const char* loads :
       {" src=", "@import", "url(", "<link", "<iframe", "fetch(", "javascript:", " onclick", " onerror", " style="}) {
    EXPECT_FALSE(shows(page, loads)) << loads;
  }
  EXPECT_LT(page_script().size(), 10240u);
}

TEST(ReportHtml, SaysTheAnswerFirst) {
  const std::string page = report_html(page_sample());
  const std::size_t curve = page.find("<svg");
  for (const char* words :
       {"<h1>44.6 users who wait for each answer", "Decision <b>capacity</b>", "p99 TTFT ≤ 1,000 ms", ">valid<",
        "95% interval [8.61, 9.40]", "3 replicas carry it", "few_levels"}) {
    const std::size_t at = page.find(words, page.find("<body>"));
    ASSERT_NE(at, std::string::npos) << words;
    EXPECT_LT(at, curve) << words;
  }
}

TEST(ReportHtml, HasEveryPart) {
  const std::string page = report_html(page_sample());
  for (const char* id : {"curve", "load", "levels", "latency", "traffic", "cache", "bound", "client", "facts", "books",
                         "method", "repeat"}) {
    EXPECT_EQ(times_in(page, "<section id=\"" + std::string(id) + "\""), 1u) << id;
  }
  for (const char* words :
       {"KS distance", "0.00610", "26.8 TB/s", "kernel-stamped", "http_5xx", "Law of Little",
        "<code>engine.name</code>", "model.weight_hash", "  - p99 ttft&lt;=1000ms\n", "--concurrency 8,32,64,96",
        "1 / TPOT", "Refused: no completion length", "13.2 ×", "warm-up, s"}) {
    EXPECT_TRUE(shows(page, words)) << words;
  }
  EXPECT_FALSE(shows(page, "Chunk gaps, ms")) << "a latency that no level has is not a table";
}

TEST(ReportHtml, TellsEveryLimitOfTheClient) {
  EXPECT_EQ(limits_words(ClientLimits{10, 300, 120, 900, 0, ""}),
            "Limits: connect 10 s, first byte 300 s, silence 120 s, whole answer 900 s; nothing was sent again. ");
  EXPECT_EQ(limits_words(std::nullopt), "");
  EXPECT_TRUE(shows(report_html(page_sample()), "whole answer 900 s; up to 2 retries; servers by round-robin."));
}

TEST(ReportHtml, TellsWhatTheClientWasProvenToCarry) {
  RunReport report = page_sample();
  report.calibration = ClientCalibration{.calibrated_utc = "2026-11-30T12:00:00Z",
                                         .events_per_s_per_thread = ProvenLimit{98000, true},
                                         .streams_per_thread = ProvenLimit{2048, false},
                                         .ttft_error_p99_ms = 0.014};
  EXPECT_TRUE(shows(report_html(report),
                    "Proven on this machine (2026-11-30T12:00:00Z), per I/O thread: at least 98000 events/s, 2048 "
                    "streams, an unknown number of requests/s, with a TTFT error p99 of 0.014 ms."));
  report.calibration.reset();
  EXPECT_TRUE(shows(report_html(report), "This client was never calibrated on this machine"));
  report.virtual_time = true;
  EXPECT_FALSE(shows(report_html(report), "calibrated on this machine"));
}

TEST(ReportHtml, TellsWhatWasDrawnApartFromWhatWasSent) {
  RunReport report = page_sample();
  const std::string page = report_html(report);
  for (const char* words :
       {"<caption>The requests as they were drawn, against the log</caption>",
        "<th scope=\"row\">sessions</th><td class=\"n\" data-v=\"0.0171\">0.0171</td>"
        "<td class=\"n\" data-v=\"0.0182\">0.0182</td><td class=\"n\" data-v=\"0.312\">31.2%</td>"
        "<td class=\"n\" data-v=\"0.305\">30.5%</td><td class=\"n absent\">–<sup>a</sup></td>",
        "no prompt was cut or dropped", "<dt>Sampler</dt><dd>sessions</dd>",
        "<dt>Content of the prompts</dt><dd>synthetic</dd>", "<dt>Lengths of the log</dt><dd>counted by the log</dd>",
        "<dt>Over the limit</dt><dd>3 prompts cut to the longest allowed</dd>",
        "<dd>11.5 prompt tokens that the server counts above those planned, mean</dd>", "407, lines 12, 99, ..."}) {
    EXPECT_TRUE(shows(page, words)) << words;
  }
  EXPECT_FALSE(shows(page, "estimated"));
  const std::string bare = traffic_section(RunReport{});
  for (const char* words :
       {"as they were drawn", "Sampler", "Content of", "Lengths of the log", "Over the", "template"})
    EXPECT_FALSE(shows(bare, words)) << words;
}

TEST(ReportHtml, EstimatedStandsBesideEveryTableOfLengths) {
  RunReport report = page_sample();
  report.log->tokens_estimated = true;
  report.log->remarks = {"<script>alert(1)</script>"};
  report.sampler = report.content = "<script>alert(1)</script>";
  const std::string page = traffic_section(report);
  for (const char* words : {"the log (estimated) against what was sent", "those of the log are estimated</caption>",
                            "prompt, log, estimated", "completion, log, estimated", "estimated from the length of"}) {
    EXPECT_TRUE(shows(page, words)) << words;
  }
  EXPECT_FALSE(shows(page, "<script>"));
}

TEST(ReportHtml, SaysWhenItIsNotValidAndWhenItIsSimulated) {
  RunReport report = page_sample();
  report.valid = false;
  report.interrupted = true;
  report.engine_speed = 20;
  report.levels[1].doubts.push_back(make_doubt("client_limited", std::nullopt, "Reads were 14 ms late."));
  const std::string page = report_html(report);
  EXPECT_TRUE(shows(page, ">not valid<"));
  EXPECT_TRUE(shows(page, ">interrupted<"));
  EXPECT_TRUE(shows(page, "20 times as fast as the wall clock"));
  EXPECT_TRUE(shows(page, "<b>Not valid</b>: <code>client_limited</code>"));
  EXPECT_TRUE(shows(page, "<span class=\"where\">32 users</span> Reads were 14 ms late."));
  EXPECT_LT(page.find("<code>client_limited</code>"), page.find("<code>few_levels</code>"));
  report.doubts.push_back(make_doubt("client_limited", 1, "Reads were 14 ms late."));
  EXPECT_EQ(times_in(report_html(report), "Reads were 14 ms late."), 1u) << "said by run and level, shown once";
}

TEST(ReportHtml, ShowsAbsentNumbersWithTheirReasonAndNeverAsZero) {
  RunReport report = page_sample();
  report.levels[3].stability = Stability::saturated;
  report.levels[3].queue_growth_per_s = 0.83;
  report.levels[3].ttft_ms = {};
  const std::string page = report_html(report);
  EXPECT_TRUE(shows(page, "–<sup>"));
  EXPECT_TRUE(shows(page, "saturated, the queue grows by 0.830 requests per second: no p99"));
  EXPECT_TRUE(shows(page, "≥ 1,210<sup>"));
}

TEST(ReportHtml, StandsWithAlmostNothing) {
  const std::string page = report_html(RunReport{});
  EXPECT_EQ(markup_fault(markup_only(page)), "");
  EXPECT_TRUE(shows(page, "none: the curve alone"));
  EXPECT_TRUE(shows(page, "No bound could be set"));
  EXPECT_TRUE(shows(page, "No level was measured."));
  EXPECT_FALSE(shows(page, "<section id=\"levels\""));
  EXPECT_EQ(times_in(page, "<td class=\"n\">0</td>"), 0u) << "lengths of nobody are not 0";
}

TEST(ReportHtml, NamesACapacityThatHasOnlyOneEnd) {
  RunReport report = page_sample();
  report.curve.closed->estimate_exists = false;
  report.curve.closed->crossing = Crossing::above_last_level;
  report.curve.closed->requests_per_s = {0, 11.4, std::nullopt};
  report.operating_point = report.curve.closed;
  EXPECT_TRUE(shows(report_html(report), "<b>≥ 11.4</b>"));
}

void poison(RunReport& report) {
  const std::string bad(attack);
  for (std::string* text :
       {&report.version, &report.command, &report.plan_yaml, &report.started_utc, &report.salt, &report.host_cpu,
        &report.target, &report.decision, &report.primary_metric, &report.input_source, &report.assumption,
        &report.cache_state, &report.sizing.sentence, &report.sentence}) {
    *text = bad;
  }
  report.facts.push_back({bad, bad, FactSource::server});
  report.facts.push_back({bad, "", FactSource::unknown});
  report.facts.push_back({"hardware.name", bad, FactSource::server});
  report.log->source = report.log->format = bad;
  report.log->refused[bad] = {3, {1}};
  report.log->filtered[bad] = 4;
  report.bound->inputs.emplace_back(bad, bad);
  report.bound->binding = report.bound->diagnosis = bad;
  report.bound_missing = {bad};
  report.doubts.push_back({bad, std::nullopt, true, bad});
  for (LevelResult& level : report.levels) {
    level.stability_reason = level.cache.source = level.bound->binding = bad;
    level.doubts.push_back({bad, std::nullopt, false, bad});
  }
}

TEST(ReportHtml, LetsNoForeignTextOut) {
  RunReport report = page_sample();
  const std::size_t scripts = times_in(report_html(report), "</script>");
  poison(report);
  const std::string page = report_html(report);
  EXPECT_EQ(times_in(page, "<img"), 0u);
  EXPECT_EQ(times_in(page, "</script>"), scripts);
  EXPECT_EQ(times_in(page, "<!--"), 0u);
  EXPECT_GT(times_in(page, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"), 25u);
  EXPECT_EQ(markup_fault(markup_only(page)), "");
  report.bound.reset();
  EXPECT_EQ(times_in(report_html(report), "<img"), 0u);
}

TEST(ReportHtml, CarriesItsDataForTheScript) {
  RunReport report = page_sample();
  poison(report);
  const std::string block = data_block(report_html(report));
  EXPECT_EQ(block.find('<'), std::string::npos);
  EXPECT_TRUE(shows(block, "\\u003c/script\\u003e"));
  const auto data = nlohmann::json::parse(block);
  EXPECT_EQ(data["levels"].size(), 4u);
  EXPECT_EQ(data["levels"][2]["ttft_ms"]["p99_failures_as_infinite"], 1450);
  EXPECT_TRUE(data["levels"][2]["ttft_ms"]["p99_high"].is_null());
  EXPECT_EQ(data["slo"][0]["limit_ms"], 1000);
}

TEST(ReportHtml, BytesThatAreNotTextDoNotBreakIt) {
  RunReport report = page_sample();
  report.sentence = "bad \xff\x01 bytes";
  const std::string page = report_html(report);
  EXPECT_TRUE(shows(page, "<h1>bad \xEF\xBF\xBD bytes</h1>"));
  EXPECT_NO_THROW(nlohmann::json::parse(data_block(page)));
}

TEST(HtmlTable, MarksAReasonOnceAndKeepsThePlainNumber) {
  HtmlTable table("T & U");
  table.column("load").column("p99");
  table.row({text_cell("a<b"), number_cell(1450.4)});
  table.row({text_cell("c"), absent_cell("saturated")});
  table.row({text_cell("d"), absent_cell("saturated")});
  const std::string html = table.html();
  EXPECT_EQ(markup_fault(html), "");
  EXPECT_EQ(times_in(html, "<sup>a</sup> saturated."), 1u);
  EXPECT_EQ(times_in(html, "–<sup>a</sup>"), 2u);
  EXPECT_TRUE(shows(html, "data-v=\"1450.4\">1,450<"));
  EXPECT_TRUE(shows(html, "<caption>T &amp; U</caption>"));
  EXPECT_THROW(table.row({text_cell("too few")}), Bug);
}

}  // namespace
}  // namespace loadline
