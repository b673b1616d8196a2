#include "trace/trace_builder.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "trace/refusal.h"
#include "trace/time_resolution.h"

namespace loadline {
namespace {

constexpr std::size_t lines_kept = 10;

bool known(const RowDetail& detail) {
  return detail.delay || detail.max_completion || detail.status || detail.client != no_client;
}

using SortKey = std::pair<Nanos, std::uint32_t>;

template <class T>
void reorder(std::vector<T>& values, const std::vector<SortKey>& order) {
  if (values.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const auto& [arrival, index] : order) sorted.push_back(std::move(values[index]));
  values = std::move(sorted);
}

void check_books(const Trace& trace) {
  std::uint64_t sum = trace.rows.size();
  for (const auto& [reason, refused] : trace.refused) sum += refused.count;
  for (const auto& [reason, count] : trace.filtered) sum += count;
  check(sum == trace.read, "read = rows + refused + filtered");
}

}  // namespace

void TraceBuilder::add(const ReadRow& row, std::uint64_t line) {
  if (row.prompt.value() <= 0) return refuse(refusal::prompt_zero, line);
  if (row.completion.value() <= 0) return refuse(refusal::completion_zero, line);
  ++trace_.read;
  TraceRow& kept = trace_.rows.emplace_back();
  kept.arrival = trace_.has_times ? row.time : Nanos(0);
  kept.prompt = row.prompt;
  kept.completion = row.completion;
  kept.cached = row.cached;
  kept.session = row.session;
  kept.turn = row.turn.value_or(0);
  turns_logged_ = turns_logged_ || row.turn.has_value();
  kept.first_block = row_blocks_;
  kept.block_count = static_cast<std::uint32_t>(block_count());
  row_blocks_ = trace_.blocks.size();
  add_detail(row.detail);
}

void TraceBuilder::add_detail(const RowDetail& detail) {
  if (trace_.details.empty() && !known(detail)) return;
  trace_.details.resize(trace_.rows.size());
  trace_.details.back() = detail;
}

void TraceBuilder::refuse(std::string_view reason, std::uint64_t line, std::uint64_t count) {
  trace_.read += count;
  Refused& refused = trace_.refused[std::string(reason)];
  refused.count += count;
  if (refused.first_lines.size() < lines_kept) refused.first_lines.push_back(line);
}

void TraceBuilder::filter(std::string_view reason) {
  ++trace_.read;
  ++trace_.filtered[std::string(reason)];
}

std::uint32_t TraceBuilder::index_of(std::string_view name, Names& known_names, std::vector<std::string>& names) {
  const auto [entry, is_new] = known_names.try_emplace(std::string(name), static_cast<std::uint32_t>(names.size()));
  if (is_new) names.emplace_back(name);
  return entry->second;
}

SessionIndex TraceBuilder::session(std::string_view name) { return index_of(name, sessions_, trace_.sessions); }
ClientIndex TraceBuilder::client(std::string_view name) { return index_of(name, clients_, trace_.clients); }

Trace TraceBuilder::finish() {
  begin_row();  // drops the ids of a last row that was refused
  if (!trace_.details.empty()) trace_.details.resize(trace_.rows.size());
  sort_rows();
  if (!turns_logged_ && !trace_.sessions.empty()) number_turns();
  if (!trace_.rows.empty()) {
    const Nanos first = trace_.rows.front().arrival;
    for (TraceRow& row : trace_.rows) row.arrival -= first;
  }
  if (trace_.has_times) {
    trace_.time_resolution_ms = std::max(trace_.time_resolution_ms, observed_resolution_ms(trace_.rows));
  }
  check_books(trace_);
  return std::move(trace_);
}

void TraceBuilder::sort_rows() {
  std::vector<TraceRow>& rows = trace_.rows;
  const auto earlier = [](const TraceRow& a, const TraceRow& b) { return a.arrival < b.arrival; };
  if (std::is_sorted(rows.begin(), rows.end(), earlier)) return;
  // Small keys are sorted, and each row moves once; the index keeps rows of one instant in the log's order.
  std::vector<SortKey> order;
  order.reserve(rows.size());
  for (const TraceRow& row : rows) order.emplace_back(row.arrival, static_cast<std::uint32_t>(order.size()));
  std::sort(order.begin(), order.end());
  reorder(rows, order);
  reorder(trace_.details, order);
}

void TraceBuilder::number_turns() {
  std::vector<std::uint32_t> turns(trace_.sessions.size(), 0);
  for (TraceRow& row : trace_.rows) {
    if (row.session != no_session) row.turn = turns[row.session]++;
  }
}

}  // namespace loadline
