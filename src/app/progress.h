#pragma once
// What the user sees while a run goes on: on standard error, never on the I/O thread.

#include <atomic>
#include <cstdint>
#include <string>

#include "core/course.h"
#include "core/level_result.h"

namespace loadline {

enum class ProgressKind : std::uint8_t { none, plain, live };

/// "live", "plain" or "none"; empty: live on a terminal, else plain.
ProgressKind progress_kind(const std::string& ui, bool quiet);

/// Counts of the running level, written by its I/O thread, read by the display.
struct LevelCounts {
  std::atomic<std::uint32_t> released = 0, ended = 0, failed = 0;
  std::atomic<Phase> phase = Phase::warming_up;
};

class Progress {
 public:
  explicit Progress(ProgressKind kind) : kind_(kind) {}
  void begin_level(const Level& level, std::uint32_t ordinal);
  /// Redraws the line of the running level (live only).
  void refresh(const LevelCounts& counts, double wall_seconds);
  void end_level(const LevelResult& result);
  void remark(const std::string& text);

 private:
  void clear_line();
  ProgressKind kind_;
  std::string level_;
  bool line_open_ = false;
  bool header_shown_ = false;
};

}  // namespace loadline
