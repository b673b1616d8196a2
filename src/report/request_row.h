#pragma once
// One row of the run file's table `request`, read with distrust. For run_reader.cpp alone.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "report/sqlite_file.h"

namespace loadline {

// Wide enough for every run, narrow enough that differences and sums of them cannot overflow.
inline constexpr std::int64_t latest_instant_ns = 1'000'000'000'000'000'000;

/// Requests with ids in [first, second), by id, each with its gaps.
extern const std::string_view select_requests_sql;

/// The current row of a statement made from select_requests_sql. Every value out of its range is an Error.
class RequestRow {
 public:
  explicit RequestRow(Statement& row) : row_(row) {}
  /// The record without its gaps; its id must be that of level `ordinal`.
  RequestRecord record(std::int64_t ordinal);
  std::vector<std::uint32_t> gaps();

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
