#pragma once
// Which row of the log comes next, in which pass over it.

#include <cstdint>
#include <variant>
#include <vector>

#include "core/random.h"
#include "workload/balanced_order.h"
#include "workload/session_units.h"

namespace loadline {

struct ChosenRow {
  std::uint64_t row = 0;
  std::uint32_t pass = 0;  ///< sharing never crosses a pass, and a row comes once in each
  std::uint32_t lap = 0;   ///< how often the order has gone back to earlier rows; within a lap rows ascend
};

/// Independent rows, with replacement. A row's k-th draw is in pass k.
class RandomRows {
 public:
  RandomRows(std::uint64_t rows, std::uint64_t seed) : random_(seed), draws_(rows, 0) {}
  ChosenRow next();
  /// Passes begun so far.
  std::uint32_t passes() const { return passes_; }

 private:
  Random random_;
  std::vector<std::uint32_t> draws_;  ///< by row
  std::uint32_t passes_ = 1;
};

/// The log in its order from row `start` on, again and again.
class ReplayedRows {
 public:
  ReplayedRows(std::uint64_t rows, std::uint64_t start) : rows_(rows), position_(start) {}
  ChosenRow next();
  std::uint32_t passes() const { return passes_; }

 private:
  std::uint64_t rows_, position_;
  std::uint32_t passes_ = 1;
};

/// Whole units in a balanced order, so that every beginning has the log's hit rate as nearly as its units allow; each
/// unit once in a pass. Units come in batches (laps) of about 500 rows, or of a tenth of a shorter log, and a batch
/// in the log's order, so that units overlap in time as they do in the log.
class SessionRows {
 public:
  SessionRows(const Trace& trace, std::uint64_t seed);
  ChosenRow next();
  std::uint32_t passes() const { return passes_; }

 private:
  void fill_batch();

  SessionUnits units_;
  BalancedOrder order_;
  std::uint64_t rows_, batches_;      ///< of a pass
  std::uint64_t rows_of_pass_ = 0;    ///< taken so far
  std::vector<std::uint64_t> batch_;  ///< rows, ascending
  std::size_t position_ = 0;          ///< in the batch
  std::uint32_t passes_ = 0, laps_ = 0;
};

using RowOrder = std::variant<RandomRows, ReplayedRows, SessionRows>;

}  // namespace loadline
