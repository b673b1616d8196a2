#include <fmt/format.h>

#include <algorithm>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/svg_level.h"

namespace loadline {
namespace {

HtmlCell books_heading(const LevelResult& level) { return setting_cell(level.level.target, level_label(level.level)); }

/// The failure classes that occurred anywhere in the run, in the order of Outcome.
std::vector<Outcome> failures_seen(const RunReport& report) {
  std::vector<Outcome> seen;
  for (std::size_t i = 0; i < outcome_count; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    const auto occurred = [&](const LevelResult& level) { return level.books.of(outcome) > 0; };
    if (failed(outcome) && std::ranges::any_of(report.levels, occurred)) seen.push_back(outcome);
  }
  return seen;
}

std::string durations_table(const RunReport& report) {
  HtmlTable table("Durations and counts");
  table.column("load")
      .column("warm-up, s")
      .column("warm-up, requests")
      .column("measured, s")
      .column("measured, requests");
  table.column("of them failed").column("tokens of failed requests").column("coalesced requests");
  for (const LevelResult& level : report.levels) {
    table.row({books_heading(level), number_cell(level.warmup_s), count_cell(level.warmup_requests),
               number_cell(level.measured_s), count_cell(level.measured_requests), count_cell(level.measured_failed),
               count_cell(level.failed_output_tokens), count_cell(level.coalesced_requests)});
  }
  return table.sortable().html();
}

std::string outcome_table(const RunReport& report) {
  const std::vector<Outcome> failures = failures_seen(report);
  HtmlTable table("Books: planned = ok + short + every failure + censored + unsent");
  table.column("load").column("planned").column("ok").column("short");
  for (const Outcome outcome : failures) table.column(name(outcome));
  table.column("censored").column("unsent");
  for (const LevelResult& level : report.levels) {
    std::vector<HtmlCell> cells = {books_heading(level), count_cell(level.books.planned),
                                   count_cell(level.books.of(Outcome::ok)),
                                   count_cell(level.books.of(Outcome::short_answer))};
    for (const Outcome outcome : failures) cells.push_back(count_cell(level.books.of(outcome)));
    cells.push_back(count_cell(level.books.of(Outcome::censored)));
    cells.push_back(count_cell(level.books.of(Outcome::unsent)));
    table.row(std::move(cells));
  }
  const std::string none = failures.empty() ? "<p class=\"quiet\">No request failed.</p>\n" : "";
  return table.sortable().html() + none;
}

std::string messages_table(const RunReport& report) {
  HtmlTable table("What was said of failed requests");
  table.column("load").column("outcome", false).column("message", false).column("requests");
  for (const LevelResult& level : report.levels) {
    for (const FailureMessage& said : level.failure_messages) {
      table.row({books_heading(level), text_cell(name(said.outcome)), text_cell(said.message), count_cell(said.count)});
    }
  }
  return table.empty() ? "" : table.sortable().html();
}

std::string little_table(const RunReport& report) {
  constexpr std::string_view none = "the window was too short";
  HtmlTable table("Law of Little: in flight = arrival rate × time in the system");
  table.column("load").column("L, in flight").column("X, req/s").column("W, s").column("L / (X W)");
  for (const LevelResult& level : report.levels) {
    const auto& law = level.littles_law;
    const auto cell = [&](double LittlesLaw::* member) {
      return law ? number_cell((*law).*member) : absent_cell(none);
    };
    table.row({books_heading(level), cell(&LittlesLaw::l), cell(&LittlesLaw::x), cell(&LittlesLaw::w_s),
               cell(&LittlesLaw::ratio)});
  }
  return table.sortable().html();
}

}  // namespace

std::string books_section(const RunReport& report) {
  if (report.levels.empty()) return "";
  return page_section("books", "Durations and books",
                      durations_table(report) + outcome_table(report) + messages_table(report) + little_table(report));
}

std::string facts_section(const RunReport& report) {
  HtmlTable table("Known facts");
  table.column("fact", false).column("value", false).column("source", false);
  std::string unknown;
  std::size_t unknown_count = 0;
  for (const Fact& fact : report.facts) {
    if (fact.source == FactSource::unknown) {
      unknown += (unknown.empty() ? "" : ", ") + fmt::format("<code>{}</code>", escape_html(fact.key));
      ++unknown_count;
    } else {
      table.row({html_cell("<code>" + escape_html(fact.key) + "</code>"), text_cell(fact.value),
                 text_cell(name(fact.source))});
    }
  }
  std::string body =
      table.empty() ? "<p class=\"quiet\">Nothing is known about the target.</p>\n" : table.sortable().html();
  if (!unknown.empty()) {
    body += fmt::format(
        "<p class=\"notice\"><b>Unknown ({}).</b> {}. A comparison over an unknown fact is refused; "
        "<code>--fact key=value</code> states one.</p>\n",
        unknown_count, unknown);
  }
  return page_section("facts", "Facts", body);
}

}  // namespace loadline
