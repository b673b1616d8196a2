#pragma once
// A log in CSV (RFC 4180) record by record: quoted fields may hold commas, doubled quotes and newlines.
// Knows nothing of columns or numbers.

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/text_window.h"

namespace loadline {

class CsvReader {
 public:
  explicit CsvReader(TextWindow& window) : window_(window) {}

  /// The next record; false at the end.
  bool next();
  /// Its fields, unquoted. Valid until the next call.
  const std::vector<std::string_view>& fields() const { return fields_; }
  /// The line it starts on, from 1.
  std::uint64_t line() const { return line_; }
  /// False: the last record, without a newline.
  bool ended() const { return ended_; }
  /// False: a quote that is never closed, or text behind a closing quote. Of such a record only the first line is
  /// taken, so that one stray quote does not swallow the log.
  bool well_formed() const { return well_formed_; }
  /// A record of blanks alone.
  bool blank() const;

 private:
  struct Field {
    std::size_t begin = 0, end = 0;
    bool doubled_quotes = false;
  };
  enum class Scan : std::uint8_t { whole, needs_more, never_closed };

  Scan scan();
  const char* scan_quoted(const char* at, const char* limit, Field& field);
  void take_first_line();
  void publish_fields();
  std::string_view undouble(Field field);

  TextWindow& window_;
  std::vector<Field> spans_;
  std::vector<std::string_view> fields_;
  std::size_t taken_ = 0;
  std::uint64_t line_ = 0, lines_inside_ = 0, next_line_ = 1;
  bool ended_ = true, well_formed_ = true;
};

}  // namespace loadline
