#include "workload/session_units.h"

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "workload/block_counts.h"

namespace loadline {
namespace {

constexpr double common_share = 0.05;

/// Numbers the units as they come.
class UnitNumbers {
 public:
  std::uint32_t of(std::uint64_t name) {
    const auto [place, is_new] = numbers_.try_emplace(name, next_);
    return is_new ? alone() : place->second;
  }
  std::uint32_t alone() { return next_++; }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::uint32_t next_ = 0;
};

std::span<const std::uint64_t> ids_of(const Trace& trace, const TraceRow& row) {
  check(row.first_block + row.block_count <= trace.blocks.size(), "a row's blocks lie inside the trace's");
  return std::span(trace.blocks).subspan(row.first_block, row.block_count);
}

std::vector<std::uint32_t> units_by_session(const Trace& trace) {
  std::vector<std::uint32_t> units;
  units.reserve(trace.rows.size());
  UnitNumbers numbers;
  for (const TraceRow& row : trace.rows) {
    units.push_back(row.session == no_session ? numbers.alone() : numbers.of(row.session));
  }
  return units;
}

std::vector<std::uint32_t> units_by_family(const Trace& trace) {
  BlockCounts rows_with(trace.blocks.size() / 2);
  for (const std::uint64_t id : trace.blocks) rows_with.add(id);
  const double common = common_share * static_cast<double>(trace.rows.size());
  std::vector<std::uint32_t> units;
  units.reserve(trace.rows.size());
  UnitNumbers numbers;
  for (const TraceRow& row : trace.rows) {
    const auto ids = ids_of(trace, row);
    const auto name =
        std::find_if(ids.begin(), ids.end(), [&](std::uint64_t id) { return rows_with.of(id) <= common; });
    const bool all_common = name == ids.end();
    units.push_back(ids.empty() ? numbers.alone() : numbers.of(all_common ? ids.back() : *name));
  }
  return units;
}

}  // namespace

SessionUnits::SessionUnits(const std::vector<std::uint32_t>& unit_of_row) {
  check(!unit_of_row.empty(), "units need rows");
  first_.assign(*std::max_element(unit_of_row.begin(), unit_of_row.end()) + std::size_t{2}, 0);
  for (const std::uint32_t unit : unit_of_row) ++first_[unit + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::uint64_t> next = first_;
  rows_.resize(unit_of_row.size());
  for (std::size_t row = 0; row < unit_of_row.size(); ++row) rows_[next[unit_of_row[row]]++] = row;
}

bool has_sessions(const Trace& trace) { return !trace.sessions.empty(); }

SessionUnits session_units(const Trace& trace) {
  return SessionUnits(has_sessions(trace) ? units_by_session(trace) : units_by_family(trace));
}

}  // namespace loadline
