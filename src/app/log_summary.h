#pragma once
// All that `loadline trace stats` counts of a log, while it is read; and the part file that holds it.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "prefix/sharing_summary.h"
#include "trace/read_options.h"
#include "trace/row_sink.h"
#include "trace/summary.h"

namespace loadline {

class LogSummary final : public RowSink {
 public:
  /// `memory_bytes` bounds what is kept of block hashes.
  explicit LogSummary(std::uint64_t memory_bytes) : sharing_(memory_bytes) {}
  void take(const TraceRow& row, const RowDetail& detail, std::span<const std::uint64_t> ids) override;
  void take_pause(Nanos pause) override { rows_.add_pause(pause); }
  void end_source(const Trace& facts) override;
  /// `other` was read behind this. Throws Error where they have a file in common, or are of two formats.
  void merge(LogSummary&& other);
  TraceStats stats();
  /// The format of all its files.
  const std::string& format() const { return rows_.facts().format; }
  /// A sentence for people, once, however often it is said.
  void remark(const std::string& sentence) { rows_.remark(sentence); }

  /// A part: it begins with part_mark.
  void write(std::ostream& stream);
  /// Throws Error for a file that is damaged, cut, longer than a part, or of another version.
  static LogSummary read_part(const std::string& path, std::uint64_t memory_bytes);

 private:
  TraceSummary rows_;
  SharingSummary sharing_;
};

/// The files of one log, read in parallel.
LogSummary summarise_log(const std::vector<std::string>& paths, const ReadOptions& options, std::uint64_t memory_bytes);

/// Whether the file begins as a part does. Throws Error where it cannot be read.
bool is_part(const std::string& path);

}  // namespace loadline
