#include "report/report_terminal.h"

#include <algorithm>
#include <string_view>

#include "report/level_table.h"
#include "report/prediction_words.h"
#include "report/report_words.h"
#include "report/sweep_words.h"
#include "report/wrapped_text.h"

namespace loadline {
namespace {

constexpr std::size_t narrowest_terminal = 40;
constexpr std::size_t column_space = 2;

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = text_columns(text);
  const std::string space(width > used ? width - used : 0, ' ');
  return right ? space + text : text + space;
}

std::vector<std::size_t> column_widths(const LevelTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = std::max(text_columns(table.columns[c].header), text_columns(table.columns[c].unit));
    for (const LevelRow& row : table.rows) width = std::max(width, text_columns(row.cells[c]));
    widths.push_back(width);
  }
  return widths;
}

/// Takes out columns, the highest rank first and of equals the last, until the rest fits.
LevelTable fitted(LevelTable table, std::size_t room) {
  while (true) {
    std::size_t used = 0;
    for (const std::size_t width : column_widths(table)) used += width + column_space;
    const auto loser = std::max_element(table.columns.begin(), table.columns.end(),
                                        [](const TextColumn& a, const TextColumn& b) { return a.rank <= b.rank; });
    if (used <= room || loser == table.columns.end() || loser->rank == 0) return table;
    const auto place = loser - table.columns.begin();
    table.columns.erase(loser);
    for (LevelRow& row : table.rows) row.cells.erase(row.cells.begin() + place);
  }
}

std::string without_trailing_space(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

void append_table(std::string& page, const LevelTable& whole, std::size_t width) {
  if (whole.rows.empty()) return;
  const LevelTable table = fitted(whole, width);
  const std::vector<std::size_t> widths = column_widths(table);
  const auto line = [&](std::string_view mark, auto cell) {
    std::string text;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      text += c == 0 ? padded(std::string(mark), column_space, false) : std::string(column_space, ' ');
      text += padded(cell(c), widths[c], table.columns[c].number);
    }
    page += without_trailing_space(text);
  };
  page += '\n';
  line("", [&](std::size_t c) { return table.columns[c].header; });
  line("", [&](std::size_t c) { return table.columns[c].unit; });
  for (const LevelRow& row : table.rows) {
    line(row.operating_point ? ">" : "", [&](std::size_t c) { return row.cells[c]; });
  }
  if (table.columns.size() < whole.columns.size()) page += "  (a wider terminal shows more columns)\n";
}

}  // namespace

std::string report_terminal(const RunReport& report, unsigned wanted_width) {
  const std::size_t width = std::max<std::size_t>(wanted_width, narrowest_terminal);
  std::string page;
  const auto say = [&](const std::string& words) { append_wrapped(page, words, width, "", 2); };
  say(report.sentence);
  page += '\n';
  for (const std::string& words : validity_words(report)) say(words);
  for (const std::string& words : prediction_words(report)) append_wrapped(page, words, width, "  ", 2);
  for (const std::string& words : doubt_words(report)) append_wrapped(page, words, width, "- ", 2);
  page += '\n';
  for (const std::string& words : question_words(report)) say(words);
  say(drawing_words(report));
  append_table(page, curve_table(report, LevelKind::concurrency), width);
  append_table(page, curve_table(report, LevelKind::request_rate), width);
  if (report.sweep.closed_visits + report.sweep.open_visits > 0)
    page += "  (the visits near the crossing are on the page)\n";
  page += '\n';
  for (const std::string& words : capacity_words(report)) say(words);
  say(peak_words(report));
  for (const std::string& words : sweep_words(report)) say(words);
  for (const std::string& words : bound_words(report)) say(words);
  say(report.sizing.sentence);
  say(small_sample_words(report));
  say(facts_words(report));
  return page;
}

}  // namespace loadline
