#pragma once
// What of a level a figure draws. Chooses and words; computes nothing.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/run_report.h"
#include "report/labels.h"

namespace loadline {

/// The objective the curve is drawn against: the one that binds at the operating point, else the first.
std::optional<Objective> drawn_objective(const RunReport& report);
/// Its metric; TTFT without an objective.
Latency drawn_metric(const RunReport& report);

/// What a latency axis shows: p99 of a metric, or an objective's own percentile, of its class where it has one.
struct DrawnTail {
  Latency metric = Latency::ttft;
  double percentile = 0.99;
  std::optional<std::size_t> objective{};  ///< in the report's objectives; absent: p99 of all requests
  std::string of_class{};                  ///< " where prompt<=2000", or nothing
  DrawnTail(Latency of) : metric(of) {}    // p99 of a metric is what most figures show
  /// "p99 TTFT", "p95 TTFT where prompt<=2000"
  std::string label() const;
};
/// The drawn objective's percentile where levels were judged by it, else p99 of the drawn metric.
DrawnTail drawn_tail(const RunReport& report);
/// The axis shows what the drawn objective limits, so that it may stand on it as a line.
bool shows_objective(const RunReport& report);
/// The tail of a level with its interval, failed requests infinitely slow. Absent: infinite, or not known.
struct TailFigure {
  std::optional<double> value_ms, low_ms, high_ms;
};
TailFigure tail_of(const LevelResult& level, const DrawnTail& tail);
/// The kind of load of the operating point; else of the first level; else concurrency.
LevelKind drawn_kind(const RunReport& report);

/// A level that has a place on the curve. p99 counts failures as infinite and owns the interval;
/// an end that has no place on a log axis is absent.
struct DrawnLevel {
  const LevelResult* level = nullptr;
  double p99_ms = 0;
  std::optional<double> low_ms, high_ms;
};
/// One that has none, and why.
struct UndrawnLevel {
  const LevelResult* level = nullptr;
  std::string reason;
};
/// In order of load. A curve never mixes closed and open loop: each has its own.
struct DrawnLevels {
  std::vector<DrawnLevel> closed, open;
  std::vector<UndrawnLevel> undrawn;
  const std::vector<DrawnLevel>& of(LevelKind kind) const { return kind == LevelKind::concurrency ? closed : open; }
  bool empty() const { return closed.empty() && open.empty(); }
};
/// Pointers into `report`, which must outlive the result.
DrawnLevels drawn_levels(const RunReport& report, const DrawnTail& tail);

/// The curve goes through the level. Visits near the crossing scatter around it, and so do levels on the way back down:
/// they are points beside the line.
bool is_on_line(const LevelResult& level);

/// Why the tail (failures as infinite) does not exist at `level`; empty where it does.
std::string p99_absence(const LevelResult& level, const DrawnTail& tail);
/// One line with the numbers of a point, for a title, the status line and a screen reader.
std::string point_sentence(const DrawnLevel& drawn, const DrawnTail& tail);

}  // namespace loadline
