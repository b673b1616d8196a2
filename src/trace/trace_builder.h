#pragma once
// What every format's reader writes into: rows, and the books of what could not be a row. Knows no format.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace.h"

namespace loadline {

/// One row as a reader found it. The caller fills it anew for every row.
struct ReadRow {
  Nanos time{};  ///< on any clock; the builder takes the first arrival off
  Tokens prompt{}, completion{};
  std::optional<Tokens> cached;
  SessionIndex session = no_session;
  std::optional<std::uint32_t> turn;  ///< as logged
  RowDetail detail;
};

class TraceBuilder {
 public:
  /// Facts of the log that a reader sets once: format, has_times, time_resolution_ms, block_size, ...
  Trace& trace() { return trace_; }

  /// The block ids of the row being read: cleared by begin_row, kept by add.
  void begin_row() { trace_.blocks.resize(row_blocks_); }
  void add_block(std::uint64_t id) { trace_.blocks.push_back(id); }
  std::uint64_t block_count() const { return trace_.blocks.size() - row_blocks_; }

  /// A usable row. Lengths of zero are refused here, so that no format forgets it.
  void add(const ReadRow& row, std::uint64_t line);
  void refuse(std::string_view reason, std::uint64_t line, std::uint64_t count = 1);
  void filter(std::string_view reason);

  /// The index of a session or client of that name, a new one for a new name.
  SessionIndex session(std::string_view name);
  ClientIndex client(std::string_view name);

  /// The trace: rows in order of arrival (rows of one instant keep the log's order), first arrival 0, turns
  /// numbered from 0 in order of arrival where the log does not number them. Call once.
  Trace finish();

 private:
  using Names = std::unordered_map<std::string, std::uint32_t>;
  static std::uint32_t index_of(std::string_view name, Names& known, std::vector<std::string>& names);
  void add_detail(const RowDetail& detail);
  void sort_rows();
  void number_turns();

  Trace trace_;
  std::size_t row_blocks_ = 0;  ///< blocks of the rows already added
  bool turns_logged_ = false;
  Names sessions_, clients_;
};

}  // namespace loadline
