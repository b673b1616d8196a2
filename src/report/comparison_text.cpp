#include "report/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/comparison_rows.h"
#include "report/escape.h"
#include "report/number_words.h"
#include "report/wrapped_text.h"

namespace loadline {
namespace {

constexpr std::size_t terminal_width = 120;

std::vector<std::string> cells_of(const RatioRow& row) {
  return {row.load, row.metric, row.a, row.b, row.ratio, row.interval, row.verdict, row.how};
}

/// "0.972 [0.957, 0.985]"
std::string ratio_cell(const RatioRow& row) {
  return row.interval == absent_mark ? row.ratio : row.ratio + ' ' + row.interval;
}

void append_columns(std::string& page, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], text_columns(row[c]));
  }
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c)
      line += row[c] + std::string(widths[c] - text_columns(row[c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    page += line + '\n';
  }
  page += '\n';
}

/// First those of no load, with their values; then one line a load: a terminal has no room for all.
void append_ratios(std::string& page, const Comparison& comparison) {
  const std::vector<RatioRow> rows = ratio_rows(comparison);
  std::vector<std::vector<std::string>> whole = {{"", "A", "B", "B / A, 95% interval", "B is"}};
  std::vector<std::vector<std::string>> by_load = {{"B / A at"}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!comparison.ratios[i].level) {
      whole.push_back({rows[i].metric, rows[i].a, rows[i].b, ratio_cell(rows[i]), rows[i].verdict});
      continue;
    }
    if (by_load.back().front() != rows[i].load) by_load.push_back({rows[i].load});
    if (by_load.size() == 2) by_load.front().push_back(rows[i].metric);
    by_load.back().push_back(ratio_cell(rows[i]));
  }
  if (whole.size() > 1) append_columns(page, whole);
  for (auto& row : by_load) row.resize(by_load.front().size());
  if (by_load.size() > 1) append_columns(page, by_load);
}

std::string bullet(const std::string& words) { return "- " + escape_markdown(words) + '\n'; }

}  // namespace

std::string comparison_terminal(const Comparison& comparison, const std::optional<Gate>& gate) {
  std::string page;
  const auto say = [&](const std::string& words, std::string_view first = "") {
    append_wrapped(page, words, terminal_width, first, 2);
  };
  if (gate) say(gate->sentence);
  say(comparison.sentence);
  page += '\n';
  say("A: " + comparison.a);
  say("B: " + comparison.b);
  page += '\n';
  append_ratios(page, comparison);
  for (const FactLines& facts : fact_lines(comparison)) {
    say(facts.heading + ":");
    for (const std::string& line : facts.lines) say(line, "- ");
  }
  for (const std::string& note : comparison_notes(comparison)) say(note);
  return page;
}

std::string comparison_markdown(const Comparison& comparison, const std::optional<Gate>& gate) {
  std::string page = "# loadline comparison\n\n";
  if (gate) page += fmt::format("**{}**\n\n", escape_markdown(gate->sentence));
  page += fmt::format("**{}**\n\n", escape_markdown(comparison.sentence));
  page += bullet("A: " + comparison.a) + bullet("B: " + comparison.b) + '\n';
  const std::vector<RatioRow> rows = ratio_rows(comparison);
  if (!rows.empty()) {
    const auto line = [&](const std::vector<std::string>& cells) {
      page += '|';
      for (const std::string& cell : cells) page += ' ' + escape_markdown(cell) + " |";
      page += '\n';
    };
    line(ratio_headers());
    page += "| --- | --- | ---: | ---: | ---: | ---: | --- | --- |\n";
    for (const RatioRow& row : rows) line(cells_of(row));
    page += '\n';
  }
  for (const FactLines& facts : fact_lines(comparison)) {
    page += fmt::format("## {}\n\n", escape_markdown(facts.heading));
    for (const std::string& fact : facts.lines) page += bullet(fact);
    page += '\n';
  }
  for (const std::string& note : comparison_notes(comparison)) page += escape_markdown(note) + "\n\n";
  return page;
}

}  // namespace loadline
