#pragma once
// A table of the page: plain HTML that reads well without script, with what the script needs to sort it
// and to copy it as CSV. An absent number is an en dash with a letter, and the letter's reason stands below.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// What one cell shows. `sort` is the plain number behind a number (data-v), empty for text.
struct HtmlCell {
  std::string html;
  std::string sort;
  std::string absent_reason;  ///< why there is no number; may be empty
  bool number = false;
  bool absent = false;
};

/// Any text, escaped here.
HtmlCell text_cell(std::string_view text);
/// HTML that is safe already.
HtmlCell html_cell(std::string html);
HtmlCell number_cell(double value);
HtmlCell number_cell(const std::optional<double>& value, std::string_view reason_if_absent);
HtmlCell count_cell(std::uint64_t value);
HtmlCell setting_cell(double value, std::string_view shown);
HtmlCell percent_cell(const std::optional<double>& share, std::string_view reason_if_absent);
/// "[low, high]" or "≥ low", then with the reason why the upper end is missing.
HtmlCell interval_cell(const std::optional<double>& low, const std::optional<double>& high,
                       std::string_view reason_if_open);
HtmlCell absent_cell(std::string_view reason);

class HtmlTable {
 public:
  /// `caption` names the table to everybody; the first column of each row is its heading.
  explicit HtmlTable(std::string_view caption) : caption_(caption) {}
  HtmlTable& column(std::string_view header, bool number = true);
  HtmlTable& row(std::vector<HtmlCell> cells);
  /// The reader may sort the rows and copy them (the script adds the controls).
  HtmlTable& sortable();
  bool empty() const { return rows_.empty(); }
  /// Header and rows must have the same number of cells.
  std::string html() const;

 private:
  struct Column {
    std::string header;
    bool number = true;
  };
  std::string head() const;
  std::string caption_;
  std::vector<Column> columns_;
  std::vector<std::vector<HtmlCell>> rows_;
  bool sortable_ = false;
};

/// Pairs of a term and its (safe) HTML, as a definition list.
std::string definition_list(const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace loadline
