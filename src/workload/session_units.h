#pragma once
// What must be drawn together so that sharing survives: whole sessions, or whole families of prompts.

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace.h"

namespace loadline {

/// The rows of a log, each in one unit. Units are numbered in order of their first rows.
class SessionUnits {
 public:
  /// `unit_of_row`: numbers without gaps, one per row.
  explicit SessionUnits(const std::vector<std::uint32_t>& unit_of_row);

  std::size_t size() const { return first_.size() - 1; }
  /// The rows of a unit, ascending.
  std::span<const std::uint64_t> rows(std::size_t unit) const {
    return std::span(rows_).subspan(first_[unit], first_[unit + 1] - first_[unit]);
  }

 private:
  std::vector<std::uint64_t> first_;  ///< into rows_, one more than units
  std::vector<std::uint64_t> rows_;
};

/// True where the log names sessions.
bool has_sessions(const Trace& trace);

/// Units of `trace`. Where sessions are declared: each session, and each row without one. Else each family of prompts
/// with a common beginning: down a row's block ids, past those that more than 5% of all rows have (what everybody
/// shares keeps its share in any sample), the next id names the family; the row's last id, where none is left. Rows
/// without ids stand alone.
SessionUnits session_units(const Trace& trace);

}  // namespace loadline
