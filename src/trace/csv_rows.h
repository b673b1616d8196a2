#pragma once
// A log in CSV under a header. The reader of a format names its columns and gives a function from one record to a
// reason of refusal (empty: the row was used); what is common to all such logs is done here: blank lines, records that
// are not CSV, are too short or are cut at the end of the file.

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "trace/csv_reader.h"
#include "trace/format.h"
#include "trace/refusal.h"
#include "trace/trace_builder.h"

namespace loadline {

/// Where the columns stand that a format asks for.
struct CsvColumns {
  static constexpr std::size_t absent = static_cast<std::size_t>(-1);
  std::vector<std::size_t> at;  ///< in the order asked for; absent only for those that may be
  std::size_t needed = 0;       ///< fields that a record must have
};

/// Whether the first line is a header with all of `names`, in any order, among others.
bool has_columns(const LogHead& head, std::initializer_list<std::string_view> names);

/// Reads the header, the first record that is not blank: `names` it must have, `optional` it may have. Throws Error
/// naming the file and the line where it lacks one of `names`, or has one or an optional one twice.
CsvColumns read_csv_header(CsvReader& csv, TraceBuilder& builder, const std::string& file,
                           std::initializer_list<std::string_view> names,
                           std::initializer_list<std::string_view> optional = {});

/// Calls read_record(fields) -> std::string_view for each record below the header, and accept(line) where it had
/// nothing to say, which adds the row.
template <class ReadRecord, class Accept>
void read_csv_rows(CsvReader& csv, const CsvColumns& columns, TraceBuilder& builder, ReadRecord read_record,
                   Accept accept) {
  while (csv.next()) {
    if (csv.blank()) {
      builder.filter(filter::blank);
      continue;
    }
    builder.begin_row();
    const bool whole = csv.well_formed() && csv.fields().size() >= columns.needed;
    const std::string_view reason = whole ? read_record(csv.fields()) : refusal::malformed;
    if (reason.empty()) {
      accept(csv.line());
    } else {
      builder.refuse(!csv.ended() && reason == refusal::malformed ? refusal::truncated : reason, csv.line());
    }
  }
}

}  // namespace loadline
