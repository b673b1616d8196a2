#include "report/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/comparison_rows.h"
#include "report/escape.h"
#include "report/wrapped_text.h"

namespace loadline {
namespace {

constexpr std::size_t terminal_width = 120;

std::vector<std::string> cells_of(const RatioRow& row) {
  return {row.load, row.metric, row.a, row.b, row.ratio, row.interval, row.verdict, row.how};
}

void append_ratios(std::string& page, const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows = {ratio_headers()};
  for (const RatioRow& row : ratio_rows(comparison)) rows.push_back(cells_of(row));
  if (rows.size() == 1) return;
  const std::size_t shown = rows.front().size() - 1;  // how the interval was made is too long for a terminal
  std::vector<std::size_t> widths(shown, 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < shown; ++c) widths[c] = std::max(widths[c], text_columns(row[c]));
  }
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < shown; ++c) line += row[c] + std::string(widths[c] - text_columns(row[c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    page += line + '\n';
  }
  page += '\n';
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
