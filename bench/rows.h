#pragma once
// The bench's one table: what was measured of both clients, beside the goal.

#include <optional>
#include <string>
#include <vector>

namespace loadline::bench {

struct Goal {
  enum class Of : std::uint8_t { nothing, ratio_at_least, at_least, at_most } of = Of::nothing;
  double value = 0;
};

struct Row {
  std::string part;  ///< a to f
  std::string what, unit;
  std::optional<double> minimal, loadline;
  bool more_is_better = false;
  Goal goal{};

  /// loadline's divided by the reference's.
  std::optional<double> ratio() const;
  /// Absent where there is no goal, or nothing was measured.
  std::optional<bool> reached() const;
};

std::string table_of(const std::vector<Row>& rows);
/// {"remark": "...", "rows": [...]}; absent values are null.
std::string json_of(const std::vector<Row>& rows, const std::string& remark);

}  // namespace loadline::bench
