#include "app/log_summary.h"

#include <fmt/format.h>

#include <deque>
#include <fstream>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "trace/byte_source.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

constexpr std::string_view part_mark = "loadline trace part\n";

}  // namespace

void LogSummary::take(const TraceRow& row, const RowDetail& detail, std::span<const std::uint64_t> ids) {
  rows_.add(row, detail);
  sharing_.add(row, ids);
}

void LogSummary::end_source(const Trace& facts) {
  rows_.end_source(facts);
  sharing_.end_source(facts);
}

void LogSummary::merge(LogSummary&& other) {
  rows_.merge(std::move(other.rows_));
  sharing_.merge(std::move(other.sharing_));
}

TraceStats LogSummary::stats() {
  TraceStats stats = rows_.stats();
  if (sharing_.origin() != SharingOrigin::unknown) stats.sharing = sharing_.profile();
  if (!stats.sessions) stats.sessions = sharing_.inferred_sessions();
  return stats;
}

void LogSummary::write(std::ostream& stream) {
  stream << part_mark;
  rows_.write(stream);
  sharing_.write(stream);
}

LogSummary LogSummary::read_part(const std::string& path, std::uint64_t memory_bytes) {
  std::ifstream file(path, std::ios::binary);
  file.ignore(static_cast<std::streamsize>(part_mark.size()));
  LogSummary summary(memory_bytes);
  summary.rows_ = TraceSummary::read(file, path);
  summary.sharing_ = SharingSummary::read(file, path, memory_bytes);
  if (file.peek() != std::ifstream::traits_type::eof()) {
    throw Error(
        fmt::format("{} goes on behind its end: it is not as it was written; copy or write the part again", path));
  }
  return summary;
}

LogSummary summarise_log(const std::vector<std::string>& paths, const ReadOptions& options,
                         std::uint64_t memory_bytes) {
  const std::uint64_t files = files_named(paths).size();
  std::deque<LogSummary> summaries;
  read_into(paths, options, [&](std::size_t) -> RowSink& { return summaries.emplace_back(memory_bytes / files); });
  LogSummary whole(memory_bytes);
  for (LogSummary& summary : summaries) whole.merge(std::move(summary));
  return whole;
}

bool is_part(const std::string& path) {
  ByteSource source = ByteSource::open(path);
  std::string head(part_mark.size(), '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    const std::size_t count = source.read(std::span(head).subspan(size));
    if (count == 0) break;
    size += count;
  }
  return head == part_mark;
}

}  // namespace loadline
