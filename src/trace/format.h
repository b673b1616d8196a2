#pragma once
// The one place where formats of logs are known: a table, in parts by who writes the log. A new format is a file with a
// recogniser and a reader, and one row of formats_of_engines.cpp, formats_of_gateways.cpp or formats_of_datasets.cpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "trace/text_window.h"
#include "trace/trace_builder.h"

namespace loadline {

/// How much of a log recognisers see, at most.
inline constexpr std::size_t head_bytes = std::size_t{1} << 16;

/// The beginning of a log, as recognisers see it: without byte order mark. It may end inside a line.
class LogHead {
 public:
  explicit LogHead(std::string_view text) : text_(text) {}
  std::string_view text() const { return text_; }
  /// Whether `part` stands anywhere in it.
  bool has(std::string_view part) const { return text_.find(part) != std::string_view::npos; }
  /// The first line that is not blank, without its end.
  std::string_view first_line() const;
  /// Whether any of the first ten lines that are not blank satisfies `test`: one broken line hides no format.
  template <class Test>
  bool any_line(Test test) const {
    std::string_view rest = text_;
    for (int seen = 0; seen < 10 && !rest.empty(); ++seen) {
      if (test(next_line(rest))) return true;
    }
    return false;
  }

 private:
  /// Takes the next line that is not blank off `rest`; empty where there is none.
  static std::string_view next_line(std::string_view& rest);
  std::string_view text_;
};

/// Whether several files can be read as one log.
enum class FileScope : std::uint8_t {
  parts,  ///< their times share a clock, and nothing else is numbered per file
  alone,  ///< each has its own clock or ids
};

/// Whether a row can be understood without those before it: if not, a cut through the log separates what belongs
/// together.
enum class RowScope : std::uint8_t {
  alone,
  after_others,  ///< it names only the row before it, or a request is told in two rows
};

struct TraceFormat {
  std::string_view name;     ///< of --format and of reports
  std::string_view content;  ///< for the manual and for messages
  bool (*recognised)(const LogHead& head);
  /// Reads all of `window` into `builder`. Throws Error only where no row could be told from another. Null with
  /// `instead`.
  void (*read)(TextWindow& window, TraceBuilder& builder);
  FileScope scope = FileScope::parts;
  /// Not empty: people have such logs, but they cannot become a workload: why, and what to log instead.
  std::string_view instead = {};
  RowScope row_scope = RowScope::alone;
};

/// All formats, the more particular before the more general: the first that recognises a log reads it.
std::span<const TraceFormat> trace_formats();
/// Null where no format has that name.
const TraceFormat* format_named(std::string_view name);
/// Null where no format recognises `head`.
const TraceFormat* format_of(const LogHead& head);

/// Their parts, in the same order each: who writes the log.
std::span<const TraceFormat> formats_of_engines();
std::span<const TraceFormat> formats_of_gateways();
std::span<const TraceFormat> formats_of_datasets();

}  // namespace loadline
