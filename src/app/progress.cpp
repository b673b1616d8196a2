#include "app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "report/escape.h"
#include "report/labels.h"
#include "report/number_words.h"

namespace loadline {
namespace {

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::warming_up:
      return "warming up";
    case Phase::measuring:
      return "measuring";
    case Phase::cooling_down:
      return "cooling down under load";
    case Phase::draining:
      return "draining";
    case Phase::finished:
      return "finished";
  }
  return "";
}

std::string p99_text(const LatencySummary& latency) {
  if (latency.p99_failures_as_infinite && latency.p99_low && latency.p99_high) {
    return fmt::format("{} [{}, {}]", figure_number(*latency.p99_failures_as_infinite), figure_number(*latency.p99_low),
                       figure_number(*latency.p99_high));
  }
  if (latency.p99_failures_as_infinite && latency.p99_low) {
    return fmt::format("{} [{}, ...", figure_number(*latency.p99_failures_as_infinite),
                       figure_number(*latency.p99_low));
  }
  if (latency.p99_low) return fmt::format(">= {}", figure_number(*latency.p99_low));
  return "-";
}

}  // namespace

ProgressKind progress_kind(const std::string& ui, bool quiet) {
  if (quiet || ui == "none") return ProgressKind::none;
  if (ui == "live") return ProgressKind::live;
  if (ui == "plain") return ProgressKind::plain;
  return isatty(STDERR_FILENO) != 0 ? ProgressKind::live : ProgressKind::plain;
}

void Progress::clear_line() {
  if (line_open_) fmt::print(stderr, "\r\033[K");
  line_open_ = false;
}

void Progress::begin_level(const Level& level, std::uint32_t ordinal) {
  level_ = fmt::format("level {}: {}", ordinal + 1, level_label(level));
}

void Progress::refresh(const LevelCounts& counts, double wall_seconds) {
  if (kind_ != ProgressKind::live) return;
  const std::uint32_t released = counts.released, ended = counts.ended, failures = counts.failed;
  fmt::print(stderr, "\r\033[K{}  {}  {} sent, {} in flight{}  {:.0f} s", level_, phase_name(counts.phase),
             figure_count(std::uint64_t{released}), released - std::min(ended, released),
             failures > 0 ? fmt::format(", {} failed", failures) : "", wall_seconds);
  std::fflush(stderr);
  line_open_ = true;
}

void Progress::end_level(const LevelResult& result) {
  if (kind_ == ProgressKind::none) return;
  clear_line();
  if (!header_shown_) {
    fmt::print(stderr, "{:>14}  {:>10}  {:>8}  {:>24}  {:>9}  {:<8} {}\n", "level", "output/s", "req/s", "p99 TTFT ms",
               "requests", "verdict", "ended");
    header_shown_ = true;
  }
  const std::optional<double> tokens = result.known_output_tokens_per_s();
  fmt::print(stderr, "{:>14}  {:>10}  {:>8}  {:>24}  {:>9}  {:<8} {}\n", level_label(result.level),
             tokens ? figure_number(*tokens) : "-",
             result.measured_s > 0 ? figure_number(result.completed_requests_per_s) : "-", p99_text(result.ttft_ms),
             figure_count(result.measured_requests), result.objectives.empty() ? "-" : name(result.verdict),
             name(result.stability));
  for (const Doubt& doubt : result.doubts) {
    if (doubt.invalidates) fmt::print(stderr, "{:>14}  {}\n", "", escape_terminal(doubt.text));
  }
}

void Progress::remark(const std::string& text) {
  if (kind_ == ProgressKind::none) return;
  clear_line();
  fmt::print(stderr, "{}\n", escape_terminal(text));
}

}  // namespace loadline
