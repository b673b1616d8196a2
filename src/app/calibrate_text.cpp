#include "app/calibrate_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/calibrate_limits.h"

namespace loadline {
namespace {

std::string figure(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string percent(const std::optional<double>& share) { return share ? fmt::format("{:.1f}%", 100 * *share) : "-"; }

std::string outcome(const CalibrationRow& row) {
  if (row.fault == Fault::none) return "carried";
  return fmt::format("{}: {}", row.fault == Fault::client ? "CLIENT" : name(row.fault), row.reason);
}

std::string stream_row(const CalibrationRow& row) {
  return fmt::format(
      "{:>7.0f} {:>8g} {:>6} {:>6} | {:>8.0f} {:>9.0f} {:>7.0f} | {:>7} {:>7} {:>7} | {:>7} {:>7} | {:>8} {:>7} {:>8} | {:>8} {:>7} {:>6} | {}\n",
      row.load.target, row.load.writes_per_s, row.load.tokens_per_write,
      row.load.phases == Phases::burst ? "burst" : "spread", row.load.events_offered_per_s(), row.events_per_s,
      row.streams_open, figure(row.ttft_error_p1_ms, 3), figure(row.ttft_error_p50_ms, 3),
      figure(row.ttft_error_p99_ms, 3), figure(row.gap_error_p50_ms, 3), figure(row.gap_error_p99_ms, 3),
      figure(row.read_lateness_p99_ms, 2), percent(row.cpu_share), figure(row.cpu_us_per_event, 2),
      figure(row.engine_lateness_p99_ms, 2), figure(row.engine_cpu_us_per_write, 2), percent(row.waited_share),
      outcome(row));
}

std::string request_row(const CalibrationRow& row) {
  return fmt::format("{:>8.0f} {:>8.0f} | {:>7} {:>7} {:>8} | {:>7} {:>7} {:>7} | {:>8} {:>7} | {:>8} {:>6} | {}\n",
                     row.load.target, row.requests_per_s, figure(row.send_lateness_p50_ms, 3),
                     figure(row.send_lateness_p99_ms, 3), figure(row.send_lateness_max_ms, 2),
                     figure(row.ttft_error_p1_ms, 3), figure(row.ttft_error_p50_ms, 3),
                     figure(row.ttft_error_p99_ms, 3), figure(row.read_lateness_p99_ms, 2), percent(row.cpu_share),
                     figure(row.engine_lateness_p99_ms, 2), percent(row.waited_share), outcome(row));
}

std::string limit_line(std::string_view what, const std::optional<ProvenLimit>& limit) {
  if (!limit) return fmt::format("  {:<12} nothing was carried within the bounds\n", what);
  return fmt::format("  {:<12} {}{:.0f}\n", what, limit->at_least ? "at least " : "", limit->value);
}

/// Writes/s of the engine on one core, by what a write cost it where it was busiest.
std::optional<double> engine_writes_per_s(std::span<const CalibrationRow> rows) {
  const CalibrationRow* busiest = nullptr;
  for (const CalibrationRow& row : rows) {
    if (row.load.kind != LevelKind::concurrency || row.load.tokens_per_write != 1 || !row.engine_cpu_us_per_write)
      continue;
    if (busiest == nullptr || row.writes_per_s > busiest->writes_per_s) busiest = &row;
  }
  if (busiest == nullptr || !(*busiest->engine_cpu_us_per_write > 0)) return std::nullopt;
  return 1e6 / *busiest->engine_cpu_us_per_write;
}

}  // namespace

std::string table_head(LevelKind kind) {
  if (kind == LevelKind::concurrency) {
    return fmt::format(
        "{:>30} | {:>26} | {:>23} | {:>15} | {:>25} | {:>16} {:>6} |\n"
        "{:>7} {:>8} {:>6} {:>6} | {:>8} {:>9} {:>7} | {:>7} {:>7} {:>7} | {:>7} {:>7} | {:>8} {:>7} {:>8} | {:>8} {:>7} {:>6} |\n",
        "load", "events/s, streams", "TTFT error, ms", "gap error, ms", "client: ms, CPU, CPU us", "engine: ms, us",
        "no core", "streams", "writes/s", "tokens", "phases", "offered", "delivered", "open", "p1", "p50", "p99", "p50",
        "p99", "seen p99", "busiest", "an event", "late p99", "a write", "free");
  }
  return fmt::format(
      "\n{:>17} | {:>24} | {:>23} | {:>16} | {:>8} {:>6} |\n"
      "{:>8} {:>8} | {:>7} {:>7} {:>8} | {:>7} {:>7} {:>7} | {:>8} {:>7} | {:>8} {:>6} |\n",
      "requests/s", "send late, ms", "TTFT error, ms", "client: ms, CPU", "engine", "no core", "offered", "sent", "p50",
      "p99", "max", "p1", "p50", "p99", "seen p99", "busiest", "late p99", "free");
}

std::string table_row(const CalibrationRow& row) {
  return row.load.kind == LevelKind::concurrency ? stream_row(row) : request_row(row);
}

std::string limits_text(const ClientCalibration& limits, std::span<const CalibrationRow> rows) {
  const CalibrationBounds& bounds = calibration_bounds;
  std::string text = fmt::format(
      "\nCarried means: TTFT error p99 <= {:g} ms, seen late p99 <= {:g} ms, CPU <= {:.0f}%, send late p99 <= {:g} ms, "
      "{:.0f}% delivered.\nA load that failed while the engine itself wrote over {:g} ms late (p99) is the engine's, one "
      "during which a thread waited over {:g}% of the\ntime for a core is the machine's: they limit nothing.\n\nProven, "
      "per I/O thread:\n",
      bounds.ttft_error_p99_ms, bounds.read_lateness_p99_ms, 100 * bounds.cpu_share, bounds.send_lateness_p99_ms,
      100 * bounds.delivered_share, bounds.engine_lateness_p99_ms, 100 * bounds.waited_share);
  text += limit_line("events/s", limits.events_per_s_per_thread);
  text += limit_line("streams", limits.streams_per_thread);
  text += limit_line("requests/s", limits.requests_per_s_per_thread);
  if (const auto writes = engine_writes_per_s(rows))
    text += fmt::format("The engine could write {:.0f} events/s with one core to itself (by its CPU time a write).\n",
                        *writes);
  const auto disturbed = std::ranges::count(rows, Fault::machine, &CalibrationRow::fault);
  if (disturbed > 0)
    text +=
        fmt::format("No core was free for {} of the {} loads: calibrate again when this machine does nothing else.\n",
                    disturbed, rows.size());
  return text;
}

}  // namespace loadline
