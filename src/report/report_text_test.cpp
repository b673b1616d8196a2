// The terminal page, the Markdown report and the CSV, drawn from the same two reports.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/level_table.h"
#include "report/report_csv.h"
#include "report/report_json.h"
#include "report/report_markdown.h"
#include "report/report_terminal.h"
#include "report/sample_report_test.h"

namespace loadline {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string line_with(const std::string& text, std::string_view part) {
  for (const std::string& line : lines_of(text)) {
    if (has(line, part)) return line;
  }
  return "";
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80; }));
}

/// RFC 4180, one line.
std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else if (line[i] != '\r')
      fields.back() += line[i];
  }
  return fields;
}

TEST(LevelTable, InOrderOfLoadWithTheOperatingPointInItsPlace) {
  const LevelTable table = level_table(full_sample_report(), LevelKind::concurrency);
  ASSERT_EQ(table.rows.size(), 4u);
  std::vector<std::string> loads;
  for (const LevelRow& row : table.rows) {
    loads.push_back(row.cells[0]);
    EXPECT_EQ(row.cells.size(), table.columns.size());
  }
  EXPECT_EQ(loads, (std::vector<std::string>{"32", "50.1", "64", "96"}));
  EXPECT_TRUE(table.rows[1].operating_point);
  EXPECT_FALSE(table.rows[2].operating_point);
  EXPECT_EQ(table.rows[1].cells[1], "7,250");
  EXPECT_EQ(table.rows[1].cells[4], "1,000");  // the limit stands where p99 crosses it
  EXPECT_TRUE(level_table(full_sample_report(), LevelKind::request_rate).rows.empty());
}

TEST(LevelTable, OnlyTheLowerEndIsSaidAsAtLeast) {
  const LevelTable table = level_table(full_sample_report(), LevelKind::concurrency);
  EXPECT_EQ(table.rows[2].cells[5], "≥ 1,112");
  EXPECT_EQ(table.rows[0].cells[5], "[514, 835]");
}

TEST(LevelTable, TokensThatWereNotCountedAreNoZero) {
  RunReport report = full_sample_report();
  for (LevelResult& level : report.levels) level.tokens_counted = false;
  report.operating_point->output_tokens_per_s = {};
  const LevelTable table = level_table(report, LevelKind::concurrency);
  ASSERT_FALSE(table.rows.empty());
  for (const LevelRow& row : table.rows) {
    EXPECT_EQ(row.cells[1], "–");
    EXPECT_NE(row.cells[2], "–") << "requests are counted";
  }
}

TEST(LevelTable, AnInfiniteP99AndAnUnmeasuredLevel) {
  RunReport report = full_sample_report();
  report.levels[0].ttft_ms.p99_failures_as_infinite.reset();
  report.levels[0].ttft_ms.n = 900;
  EXPECT_EQ(level_table(report, LevelKind::concurrency).rows[0].cells[4], "infinite");
  const LevelTable bare = level_table(bare_sample_report(), LevelKind::concurrency);
  ASSERT_EQ(bare.rows.size(), 1u);
  for (std::size_t c = 1; c <= 7; ++c) EXPECT_EQ(bare.rows[0].cells[c], "–") << bare.columns[c].header;
}

TEST(LevelTable, AnObjectiveOfAnotherLatencyBringsItsColumns) {
  RunReport report = full_sample_report();
  const auto heads = [](const LevelTable& table) {
    std::string all;
    for (const TextColumn& column : table.columns) all += column.header + ';';
    return all;
  };
  EXPECT_FALSE(has(heads(level_table(report, LevelKind::concurrency)), "E2E p99"));
  report.objectives.push_back({Latency::e2e, 0.99, std::chrono::seconds(30)});
  EXPECT_TRUE(has(heads(level_table(report, LevelKind::concurrency)), "E2E p99"));
}

TEST(ReportTerminal, SaysTheAnswerFirstAndKeepsToTheWidth) {
  for (const unsigned width : {40u, 80u, 120u, 200u}) {
    const std::string page = report_terminal(full_sample_report(), width);
    const std::vector<std::string> lines = lines_of(page);
    EXPECT_TRUE(lines[0].starts_with("50 users who wait")) << width;
    for (const std::string& line : lines) {
      const bool one_long_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
      EXPECT_TRUE(columns_of(line) <= width || one_long_word) << width << ": " << line;
    }
    EXPECT_TRUE(has(page, ">")) << width;
  }
}

TEST(ReportTerminal, ShowsEverythingInAWideTerminal) {
  const std::string page = report_terminal(full_sample_report(), 250);
  for (const char* part :
       {"Valid.", "- few_levels: Three levels are few.", "- drift (96 users): TTFT drifts", "p99 TTFT ≤ 1,000 ms",
        "9.88 [9.10, 10.6]", "Capacity, open loop by p99 TTFT ≤ 1,000 ms: at least 7.50",
        "Peak: 8,380 output tok/s at 96 users, where p99 is 3.07 times",
        "request ceiling 65.1%, decode 80.0%, batch-1 ", "Close to the limit.", "Three such deployments",
        "Unknown: engine.version", "2 times faster"}) {
    EXPECT_TRUE(has(page, part)) << part << "\n" << page;
  }
  EXPECT_TRUE(line_with(page, "operating point").starts_with("> "));
  EXPECT_TRUE(has(line_with(page, "[514, 835]"), "under"));
  EXPECT_FALSE(has(page, "Few requests"));
}

TEST(ReportTerminal, NarrowKeepsLoadOutputAndVerdict) {
  const std::string page = report_terminal(full_sample_report(), 44);
  EXPECT_TRUE(has(page, "more columns"));
  const std::string row = line_with(page, "  64 ");
  EXPECT_TRUE(has(row, "7,850")) << row;
  EXPECT_TRUE(has(row, "open")) << row;
}

TEST(ReportTerminal, SaysWhatIsWrong) {
  RunReport report = bare_sample_report();
  report.valid = false;
  report.levels[0].doubts = {make_doubt("client_limited", 0, "reading was \x1b[2Jlate"),
                             make_doubt("drift", 0, "drifts")};
  report.doubts = {make_doubt("few_levels", std::nullopt, "one")};
  report.bound_missing = {"hardware.name"};
  const std::string page = report_terminal(report, 100);
  EXPECT_TRUE(has(page, "NOT VALID"));
  EXPECT_TRUE(has(page, "Interrupted"));
  EXPECT_TRUE(has(page, "No bound: unknown hardware.name."));
  EXPECT_TRUE(has(page, "Few requests: p99 rests on fewer than 1,000 requests at 1 user (n = 0)."));
  EXPECT_LT(page.find("client_limited"), page.find("few_levels"));
  EXPECT_FALSE(has(page, "\x1b"));
}

TEST(ReportTerminal, SaysInOneSentenceWhatWasDrawn) {
  RunReport report = full_sample_report();
  EXPECT_TRUE(has(report_terminal(report, 400),
                  "\nRequests: sampler sessions; drawn against the log: KS distance prompt 0.0300, completion 0.0400; "
                  "token hit rate 41.0% in the log, 39.0% drawn, 42.0% before long prompts were cut or dropped; "
                  "3 prompts cut to the longest allowed, 1 prompt dropped as too long; content synthetic; "
                  "the chat template adds 11.5 tokens a prompt.\n"));
  report.log->tokens_estimated = true;
  EXPECT_TRUE(has(report_terminal(report, 400), "the log's lengths are estimated."));
  report.sampler = "\x1b[2Jrows";
  EXPECT_FALSE(has(report_terminal(report, 100), "\x1b"));
  for (const char* part : {"Requests:", "against the log", "template", "content"})
    EXPECT_FALSE(has(report_terminal(bare_sample_report(), 100), part)) << part;
}

TEST(ReportMarkdown, SaysWhatWasDrawnApartFromWhatWasSent) {
  RunReport report = full_sample_report();
  std::string page = report_markdown(report);
  EXPECT_TRUE(has(page, "Distance of sent from log (KS): prompt 0.0100, completion 0.0200.")) << page;
  EXPECT_TRUE(has(page, "drawn against the log: KS distance prompt 0.0300, completion 0.0400; token hit rate 41.0%"));
  EXPECT_FALSE(has(page, "estimated"));
  report.log->tokens_estimated = true;
  page = report_markdown(report);
  EXPECT_TRUE(has(page, "| prompt, log, estimated |"));
  EXPECT_TRUE(has(page, "| completion, log, estimated |"));
  report.sampler = "<script>|x";
  EXPECT_FALSE(has(report_markdown(report), "<script>"));
}

TEST(ReportMarkdown, HasEveryPart) {
  const std::string page = report_markdown(full_sample_report());
  for (const char* part :
       {"# loadline report", "**50 users who wait", "## Doubts", "## Levels, closed loop", "## Capacity", "## Bound",
        "## Input", "## Latencies", "## Books", "## Client and cache", "## Facts", "## How to repeat it",
        "| **50.1** | **7,250** |", "2 http\\_5xx", "| prompt, log | 1,000 | 928 |", "```\nlevels: [32, 64, 96]\n```",
        "| bandwidth | 3350 GB/s (hardware.json) |"}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
  EXPECT_FALSE(has(page, "## Levels, open loop"));
}

TEST(ReportMarkdown, TablesHaveTheSameCellsInEachRow) {
  std::size_t cells = 0;
  for (const std::string& line : lines_of(report_markdown(full_sample_report()))) {
    if (!line.starts_with('|')) {
      cells = 0;
      continue;
    }
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    if (cells != 0) {
      EXPECT_EQ(bars, cells) << line;
    }
    cells = bars;
  }
}

TEST(ReportMarkdown, ForeignTextIsNoMarkup) {
  RunReport report = full_sample_report();
  report.plan_yaml = "name: x\n````\n# out\n\x1b[2J";
  const std::string page = report_markdown(report);
  EXPECT_TRUE(has(page, "evil\\|&lt;b\\>\\[31m\\[x\\](http&#58;//e.vil)"));
  EXPECT_FALSE(has(page, "\x1b"));
  EXPECT_TRUE(has(page, "`````\nname: x\n````\n# out\n[2J\n`````\n"));
}

TEST(ReportMarkdown, OfNearlyNothing) {
  const std::string page = report_markdown(bare_sample_report());
  EXPECT_TRUE(has(page, "The run was cut before"));
  EXPECT_FALSE(has(page, "nan"));
  EXPECT_FALSE(has(report_markdown(RunReport{}), "## Latencies"));
}

TEST(ReportCsv, RowsAreTheLevelsOfTheJson) {
  const RunReport report = full_sample_report();
  const std::vector<std::string> lines = lines_of(report_csv(report));
  ASSERT_EQ(lines.size(), 4u);
  const std::vector<std::string> header = csv_fields(lines[0]);
  const nlohmann::json levels = nlohmann::json::parse(report_json(report))["levels"];
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<std::string> cells = csv_fields(lines[i + 1]);
    ASSERT_EQ(cells.size(), header.size());
    const auto cell = [&](const std::string& name) {
      return cells.at(static_cast<std::size_t>(std::ranges::find(header, name) - header.begin()));
    };
    EXPECT_EQ(std::stod(cell("target")), levels[i]["target"]);
    EXPECT_EQ(std::stod(cell("ttft_ms_p99_failures_as_infinite")), levels[i]["ttft_ms"]["p99_failures_as_infinite"]);
    EXPECT_EQ(std::stod(cell("aggregate_output_tokens_per_s")), levels[i]["aggregate_output_tokens_per_s"]);
    EXPECT_EQ(cell("verdict"), levels[i]["verdict"]);
    EXPECT_EQ(cell("requests_failed_http_5xx"), "2");
    EXPECT_EQ(cell("requests_failed_empty"), "0");
    EXPECT_EQ(cell("first_answer_ms_p99_high"), "");
    EXPECT_EQ(cell("littles_law_ratio"), "0.999");
    EXPECT_EQ(cell("prompt_tokens_p50"), "350");
    EXPECT_EQ(cell("client_send_lateness_ms_p99"), "0.072");
    EXPECT_EQ(cell("doubts"), "drift");
  }
}

TEST(ReportCsv, TheSameColumnsWhateverWasMeasured) {
  const std::string full = lines_of(report_csv(full_sample_report()))[0];
  EXPECT_EQ(lines_of(report_csv(bare_sample_report()))[0], full);
  EXPECT_EQ(report_csv(RunReport{}), full + "\n");
  RunReport hostile = bare_sample_report();
  hostile.levels[0].stability_reason = "=HYPERLINK(\"http://e.vil\"),x\n2";
  EXPECT_TRUE(has(report_csv(hostile), "\"'=HYPERLINK(\"\"http://e.vil\"\"),x 2\""));
}

}  // namespace
}  // namespace loadline
