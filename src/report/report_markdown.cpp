#include "report/report_markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/escape.h"
#include "report/level_table.h"
#include "report/number_words.h"
#include "report/prediction_words.h"
#include "report/report_words.h"
#include "report/svg_level.h"
#include "report/sweep_words.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

/// A table; every cell is escaped here.
class MarkdownTable {
 public:
  explicit MarkdownTable(const std::vector<std::string>& headers, std::size_t text_columns = 1)
      : columns_(headers.size()) {
    row(headers);
    text_ += '|';
    for (std::size_t c = 0; c < columns_; ++c) text_ += c < text_columns ? " --- |" : " ---: |";
    text_ += '\n';
  }
  MarkdownTable& row(const std::vector<std::string>& cells, bool bold = false) {
    text_ += '|';
    for (const std::string& cell : cells) {
      const std::string shown = escape_markdown(cell);
      text_ += bold && !shown.empty() ? fmt::format(" **{}** |", shown) : fmt::format(" {} |", shown);
    }
    text_ += '\n';
    return *this;
  }
  std::string text() const { return text_ + '\n'; }

 private:
  std::size_t columns_;
  std::string text_;
};

std::string paragraph(const std::string& words) { return words.empty() ? "" : escape_markdown(words) + "\n\n"; }

std::string bullets(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& words : list) text += "- " + escape_markdown(words) + '\n';
  return list.empty() ? "" : text + '\n';
}

std::string levels_part(const RunReport& report, LevelKind kind) {
  const LevelTable table = level_table(report, kind);
  if (table.rows.empty()) return "";
  std::vector<std::string> headers;
  for (const TextColumn& column : table.columns)
    headers.push_back(column.unit.empty() ? column.header : fmt::format("{} ({})", column.header, column.unit));
  MarkdownTable drawn(headers, 0);
  for (const LevelRow& row : table.rows) drawn.row(row.cells, row.operating_point);
  return drawn.text();
}

std::string latencies_part(const RunReport& report) {
  struct Named {
    const char* label;
    LatencySummary LevelResult::* member;
  };
  constexpr Named latencies[] = {{"TTFT", &LevelResult::ttft_ms},
                                 {"first answer", &LevelResult::first_answer_ms},
                                 {"TPOT", &LevelResult::tpot_ms},
                                 {"ITL", &LevelResult::itl_ms},
                                 {"chunk gap", &LevelResult::chunk_gap_ms},
                                 {"E2E", &LevelResult::e2e_ms},
                                 {"TTFT from sent", &LevelResult::service_ttft_ms}};
  MarkdownTable table({"level", "latency (ms)", "n", "mean", "p50", "p90", "p99 of ok", "p99, failures infinite",
                       "95% interval", "n eff"},
                      2);
  for (const LevelResult& level : report.levels) {
    for (const Named& latency : latencies) {
      const LatencySummary& l = level.*latency.member;
      if (l.n_all == 0) continue;
      table.row(
          {level_label(level.level), latency.label, fmt::format("{} of {}", figure_count(l.n), figure_count(l.n_all)),
           figure_number(l.mean), figure_number(l.p50), figure_number(l.p90), figure_number(l.p99),
           figure_number(l.p99_failures_as_infinite), figure_interval(l.p99_low, l.p99_high), figure_number(l.n_eff)});
    }
  }
  return table.text();
}

std::string failures_of(const Books& books) {
  std::string words;
  for (std::size_t i = 0; i < outcome_count; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (!failed(outcome) || books.of(outcome) == 0) continue;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", figure_count(books.of(outcome)), name(outcome));
  }
  return words.empty() ? "0" : words;
}

std::string books_part(const RunReport& report) {
  MarkdownTable table({"level", "warm-up (s; requests)", "measured (s; requests)", "planned", "ok", "short", "failed",
                       "censored", "unsent", "in flight, mean", "Little's ratio", "why it ended"});
  for (const LevelResult& level : report.levels) {
    const Books& books = level.books;
    table.row({level_label(level.level),
               fmt::format("{}; {}", figure_number(level.warmup_s), figure_count(level.warmup_requests)),
               fmt::format("{}; {}", figure_number(level.measured_s), figure_count(level.measured_requests)),
               figure_count(books.planned), figure_count(books.of(Outcome::ok)),
               figure_count(books.of(Outcome::short_answer)), failures_of(books),
               figure_count(books.of(Outcome::censored)), figure_count(books.of(Outcome::unsent)),
               figure_number(level.over_window(level.in_flight_mean)),
               level.littles_law ? figure_number(level.littles_law->ratio) : absent_mark, level.stability_reason});
  }
  return table.text();
}

std::string messages_part(const RunReport& report) {
  MarkdownTable table({"level", "outcome", "requests", "message"}, 2);
  bool any = false;
  for (const LevelResult& level : report.levels) {
    for (const FailureMessage& said : level.failure_messages) {
      table.row({level_label(level.level), std::string(name(said.outcome)), figure_count(said.count), said.message});
      any = true;
    }
  }
  return any ? table.text() : "";
}

std::string input_part(const RunReport& report) {
  const bool estimated = report.log && report.log->tokens_estimated;
  MarkdownTable table({"tokens", "n", "p50", "p90", "p99", "max", "mean"});
  const auto add = [&](const std::string& label, const LengthSummary& l) {
    if (l.n == 0) return;
    table.row({label, figure_count(l.n), figure_count(l.p50), figure_count(l.p90), figure_count(l.p99),
               figure_count(l.max), figure_number(l.mean)});
  };
  add(with_token_origin("prompt, log", estimated), report.log_prompt_tokens);
  add("prompt, sent", report.sent_prompt_tokens);
  add(with_token_origin("completion, log", estimated), report.log_completion_tokens);
  add("completion, sent", report.sent_completion_tokens);
  std::string text = table.text();
  text += paragraph(fmt::format(
      "Distance of sent from log (KS): prompt {}, completion {}. Prefix sharing of the log: {}. Busiest minute: {} requests/s.",
      figure_number(report.prompt_ks), figure_number(report.completion_ks), figure_percent(report.prefix_sharing_rate),
      figure_number(report.busiest_minute_requests_per_s)));
  return text + paragraph(drawing_words(report));
}

std::string bound_part(const RunReport& report) {
  std::string text = bullets(bound_words(report));
  if (!report.bound) return text;
  MarkdownTable inputs({"input", "value"}, 2);
  for (const auto& [key, value] : report.bound->inputs) inputs.row({key, value});
  return text + (report.bound->inputs.empty() ? "" : inputs.text());
}

std::string client_part(const RunReport& report) {
  MarkdownTable table({"level", "sent late p50 (ms)", "p99 (ms)", "max (ms)", "read late p50 (ms)", "p99 (ms)",
                       "max (ms)", "CPU", "kernel stamps", "cache hit rate", "planned", "coalesced"});
  for (const LevelResult& level : report.levels) {
    const ClientSelf& c = level.client;
    table.row({level_label(level.level), figure_number(c.send_lateness_p50_ms), figure_number(c.send_lateness_p99_ms),
               figure_number(c.send_lateness_max_ms), figure_number(c.read_lateness_p50_ms),
               figure_number(c.read_lateness_p99_ms), figure_number(c.read_lateness_max_ms),
               figure_percent(c.cpu_share), figure_percent(c.kernel_stamped_share()),
               figure_percent(level.cache.measured_rate), figure_percent(level.cache.target_rate),
               figure_count(level.coalesced_requests)});
  }
  return paragraph(limits_words(report.client_limits)) + table.text();
}

std::string facts_part(const RunReport& report) {
  MarkdownTable table({"fact", "value", "said by"}, 3);
  for (const Fact& fact : report.facts) {
    table.row({fact.key, fact.source == FactSource::unknown ? "unknown" : fact.value, std::string(name(fact.source))});
  }
  return paragraph(facts_words(report)) + (report.facts.empty() ? "" : table.text());
}

/// A fence that the text cannot close: longer than its longest run of backticks.
std::string code_block(std::string_view foreign) {
  std::size_t longest = 0, run = 0;
  for (const char c : foreign) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  std::string text = fence + '\n';
  for (std::size_t at = 0; at < foreign.size();) {
    const std::size_t end = std::min(foreign.find('\n', at), foreign.size());
    text += escape_terminal(foreign.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return text + fence + "\n\n";
}

std::string repeat_part(const RunReport& report) {
  std::string text =
      paragraph(fmt::format("loadline {}, seed {}, started {}, on {} with {} I/O thread{}.", report.version,
                            report.seed, report.started_utc.empty() ? "at an unknown time" : report.started_utc,
                            report.host_cpu.empty() ? "an unknown processor" : report.host_cpu, report.client_threads,
                            report.client_threads == 1 ? "" : "s"));
  if (!report.command.empty()) text += code_block(report.command);
  if (!report.plan_yaml.empty()) text += code_block(report.plan_yaml);
  return text;
}

std::string part(const char* heading, const std::string& body) {
  return body.empty() ? "" : fmt::format("## {}\n\n{}", heading, body);
}

}  // namespace

std::string report_markdown(const RunReport& report) {
  std::string page = "# loadline report\n\n";
  if (!report.sentence.empty()) page += "**" + escape_markdown(report.sentence) + "**\n\n";
  page += bullets(validity_words(report));
  if (report.prediction) page += part("Prediction", bullets(prediction_words(report)));
  page += part("Doubts", bullets(doubt_words(report)));
  page += part("Question", bullets(question_words(report)));
  page += part("Levels, closed loop", levels_part(report, LevelKind::concurrency));
  page += part("Levels, open loop", levels_part(report, LevelKind::request_rate));
  page += paragraph(small_sample_words(report));
  std::vector<std::string> answer = capacity_words(report);
  for (const std::string& words : {peak_words(report), report.sizing.sentence}) {
    if (!words.empty()) answer.push_back(words);
  }
  for (const std::string& words : sweep_words(report)) answer.push_back(words);
  page += part("Capacity", bullets(answer));
  page += part("Bound", bound_part(report));
  page += part("Input", input_part(report));
  if (!report.levels.empty()) {
    page += part("Latencies", latencies_part(report));
    page += part("Books", books_part(report));
    if (const std::string messages = messages_part(report); !messages.empty()) page += part("Failures", messages);
    page += part("Client and cache", client_part(report));
  }
  page += part("Facts", facts_part(report));
  page += part("How to repeat it", repeat_part(report));
  return page;
}

}  // namespace loadline
