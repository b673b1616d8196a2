#pragma once
// One row of the run file's table `request`, read with distrust. For run_reader.cpp, and for run_store.cpp, which
// writes nothing that could not be read.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "report/sqlite_file.h"

namespace loadline {

// Wide enough for every run, narrow enough that differences and sums of them cannot overflow.
inline constexpr std::int64_t latest_instant_ns = 1'000'000'000'000'000'000;

/// Columns that run files of before may lack: then no request of theirs tells them. In the order in which they came.
inline constexpr std::array<const char*, 2> later_request_columns = {"single_token_events", "client"};
bool has_request_column(Database& database, std::string_view column);
/// Requests with ids in [first, second), by id, each with its gaps.
std::string select_requests_sql(Database& database);

/// The column of select_requests_sql whose value is out of its range or cannot stand beside the others; none where the
/// record is sound: instants in the order in which things happen, an end and a due time unless it was never sent,
/// tokens where it succeeded, and one gap less than output events.
std::optional<int> unsound_column(const RequestRecord& record, std::size_t gaps);

/// The current row of a statement made from select_requests_sql. Every value out of its range, and every record that is
/// not sound, is an Error.
class RequestRow {
 public:
  explicit RequestRow(Statement& row) : row_(row) {}
  std::vector<std::uint32_t> gaps();
  /// The record without its gaps, of which there are so many; its id must be that of level `ordinal`.
  RequestRecord record(std::int64_t ordinal, std::size_t gaps);

 private:
  std::int64_t needed(int column, std::int64_t high);
  std::string needed_text(int column);
  std::optional<RunTime> instant(int column);
  std::optional<Tokens> tokens(int column);
  void read_identity(RequestRecord& record, std::int64_t ordinal);
  void read_instants(RequestRecord& record);
  void read_counts(RequestRecord& record);
  void read_ending(RequestRecord& record);

  Statement& row_;
};

}  // namespace loadline
