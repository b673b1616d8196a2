#include "report/report_html_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "report/escape.h"
#include "report/number_words.h"

namespace loadline {
namespace {

HtmlCell shown_number(std::string shown, double value) {
  return {.html = std::move(shown), .sort = fmt::format("{}", value), .absent_reason = {}, .number = true};
}

/// The footnotes of a table: one letter a reason, in order of appearance.
class AbsenceNotes {
 public:
  std::string mark(const std::string& reason) {
    if (reason.empty()) return "";
    const auto known = std::ranges::find(reasons_, reason);
    const auto index = static_cast<std::size_t>(known - reasons_.begin());
    if (known == reasons_.end()) reasons_.push_back(reason);
    return fmt::format("<sup>{}</sup>", letter(index));
  }
  std::string html() const {
    if (reasons_.empty()) return "";
    std::string out = "<p class=\"absences\">";
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      out += fmt::format("{}<sup>{}</sup> {}.", i == 0 ? "" : " ", letter(i), escape_html(reasons_[i]));
    }
    return out + "</p>\n";
  }

 private:
  static std::string letter(std::size_t index) {
    if (index < 26) return std::string(1, static_cast<char>('a' + index));
    return std::string(1, static_cast<char>('a' + index % 26)) + std::to_string(index / 26);
  }
  std::vector<std::string> reasons_;
};

}  // namespace

HtmlCell text_cell(std::string_view text) { return {.html = escape_html(text), .sort = {}, .absent_reason = {}}; }
HtmlCell html_cell(std::string html) { return {.html = std::move(html), .sort = {}, .absent_reason = {}}; }
HtmlCell number_cell(double value) {
  if (!std::isfinite(value)) return absent_cell("infinite");
  return shown_number(figure_number(value), value);
}
HtmlCell number_cell(const std::optional<double>& value, std::string_view reason) {
  return value ? number_cell(*value) : absent_cell(reason);
}
HtmlCell count_cell(std::uint64_t value) { return shown_number(figure_count(value), static_cast<double>(value)); }
HtmlCell setting_cell(double value, std::string_view shown) { return shown_number(escape_html(shown), value); }
HtmlCell percent_cell(const std::optional<double>& share, std::string_view reason) {
  return share ? shown_number(figure_percent(*share), *share) : absent_cell(reason);
}
HtmlCell interval_cell(const std::optional<double>& low, const std::optional<double>& high, std::string_view reason) {
  if (!low && !high) return absent_cell(reason);
  HtmlCell cell = shown_number(figure_interval(low, high), low.value_or(high.value_or(0)));
  // A CSV reader wants the words, not the number they are sorted by.
  if (!low || !high) cell.absent_reason = std::string(reason);
  return cell;
}
HtmlCell absent_cell(std::string_view reason) {
  return {.html = absent_mark, .sort = {}, .absent_reason = std::string(reason), .number = true, .absent = true};
}

HtmlTable& HtmlTable::column(std::string_view header, bool number) {
  columns_.push_back({std::string(header), number});
  return *this;
}

HtmlTable& HtmlTable::row(std::vector<HtmlCell> cells) {
  check(cells.size() == columns_.size(), "a row of a table has one cell a column");
  rows_.push_back(std::move(cells));
  return *this;
}

HtmlTable& HtmlTable::sortable() {
  sortable_ = true;
  return *this;
}

std::string HtmlTable::head() const {
  std::string out = "<thead><tr>";
  for (const Column& column : columns_) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", column.number ? " class=\"n\"" : "", escape_html(column.header));
  }
  return out + "</tr></thead>\n";
}

std::string HtmlTable::html() const {
  AbsenceNotes notes;
  const std::string name = escape_html(caption_);
  std::string out = fmt::format(
      "<div class=\"table\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n", name);
  out += fmt::format("<table{}><caption>{}</caption>\n", sortable_ ? " class=\"sortable\"" : "", name);
  out += head() + "<tbody>\n";
  for (const auto& cells : rows_) {
    out += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const HtmlCell& cell = cells[i];
      const std::string css = std::string(columns_[i].number ? "n" : "") + (cell.absent ? " absent" : "");
      const std::string sort = cell.sort.empty() ? "" : fmt::format(" data-v=\"{}\"", cell.sort);
      const std::string attributes = (css.empty() ? "" : fmt::format(" class=\"{}\"", css)) + sort;
      const std::string mark = notes.mark(cell.absent_reason);
      out += i == 0 ? fmt::format("<th scope=\"row\"{}>{}{}</th>", attributes, cell.html, mark)
                    : fmt::format("<td{}>{}{}</td>", attributes, cell.html, mark);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n" + notes.html() + "</div>\n";
}

std::string definition_list(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out = "<dl class=\"pairs\">\n";
  for (const auto& [term, html] : pairs)
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escape_html(term), html);
  return out + "</dl>\n";
}

}  // namespace loadline
