#include "app/calibrate_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace loadline {
namespace {

constexpr const CalibrationBounds& bounds = calibration_bounds;

std::vector<std::string> out_of_bounds(const CalibrationRow& row) {
  std::vector<std::string> reasons;
  const auto hold = [&](const std::optional<double>& value, double most, std::string_view what) {
    if (value && *value > most) reasons.push_back(fmt::format("{} {:.3g} ms > {:g} ms", what, *value, most));
  };
  hold(row.ttft_error_p99_ms, bounds.ttft_error_p99_ms, "TTFT error p99");
  hold(row.read_lateness_p99_ms, bounds.read_lateness_p99_ms, "read lateness p99");
  if (row.load.kind == LevelKind::request_rate)
    hold(row.send_lateness_p99_ms, bounds.send_lateness_p99_ms, "send lateness p99");
  if (row.cpu_share && *row.cpu_share > bounds.cpu_share)
    reasons.push_back(fmt::format("CPU {:.0f}% > {:.0f}%", 100 * *row.cpu_share, 100 * bounds.cpu_share));
  if (row.failed > 0) reasons.push_back(fmt::format("{} of {} requests failed", row.failed, row.requests));
  if (row.first_tokens == 0) reasons.emplace_back("no answer could be compared");
  return reasons;
}

/// What of the load did not come about; it may be either's doing.
std::vector<std::string> not_delivered(const CalibrationRow& row) {
  std::vector<std::string> reasons;
  if (row.events_per_s < bounds.delivered_share * row.load.events_offered_per_s())
    reasons.push_back(
        fmt::format("{:.0f} of {:.0f} events/s delivered", row.events_per_s, row.load.events_offered_per_s()));
  if (row.load.kind == LevelKind::concurrency && row.streams_open < bounds.delivered_share * row.load.target)
    reasons.push_back(fmt::format("{:.0f} of {:.0f} streams open", row.streams_open, row.load.target));
  return reasons;
}

using Load = std::function<double(const CalibrationRow&)>;

using Which = std::function<bool(const CalibrationRow&)>;

/// Of the rows that `counts`. `carried`: of one that `proves`. `asked`: of one that was too much for the client.
std::optional<ProvenLimit> limit_of(std::span<const CalibrationRow> rows, const Which& counts, const Which& proves,
                                    const Load& carried, const Load& asked) {
  std::optional<ProvenLimit> limit;
  for (const CalibrationRow& row : rows) {
    if (!counts(row) || !proves(row)) continue;
    const double value = carried(row) / row.threads;
    if (!limit || value > limit->value) limit = ProvenLimit{value, true};
  }
  if (!limit) return limit;
  limit->at_least = std::ranges::none_of(rows, [&](const CalibrationRow& row) {
    return counts(row) && row.fault == Fault::client && asked(row) / row.threads > limit->value;
  });
  return limit;
}

bool is_streams(const CalibrationRow& row) { return row.load.kind == LevelKind::concurrency; }
bool is_carried(const CalibrationRow& row) { return row.fault == Fault::none; }
/// What a late engine did deliver of a load proves the client for that much.
bool is_in_bounds(const CalibrationRow& row) { return row.client_in_bounds && row.fault != Fault::client; }
bool is_requests(const CalibrationRow& row) { return row.load.kind == LevelKind::request_rate; }

}  // namespace

std::string_view name(Fault fault) {
  switch (fault) {
    case Fault::none:
      return "none";
    case Fault::client:
      return "client";
    case Fault::engine:
      return "engine";
    case Fault::machine:
      return "machine";
  }
  return "";
}

void judge(CalibrationRow& row) {
  std::vector<std::string> reasons = out_of_bounds(row);
  row.client_in_bounds = reasons.empty();
  for (std::string& reason : not_delivered(row)) reasons.push_back(std::move(reason));
  row.fault = Fault::none;
  if (!reasons.empty()) {
    row.fault = Fault::client;
    if (row.engine_lateness_p99_ms && *row.engine_lateness_p99_ms > bounds.engine_lateness_p99_ms) {
      row.fault = Fault::engine;
      reasons.push_back(fmt::format("the engine's own writes {:.3g} ms late", *row.engine_lateness_p99_ms));
    }
    if (row.waited_share && *row.waited_share > bounds.waited_share) {
      row.fault = Fault::machine;
      reasons.push_back(fmt::format("{:.1f}% of the time no core was free", 100 * *row.waited_share));
    }
  }
  row.reason = fmt::format("{}", fmt::join(reasons, ", "));
}

ClientCalibration limits_of(std::span<const CalibrationRow> rows, std::string calibrated_utc) {
  ClientCalibration limits;
  limits.calibrated_utc = std::move(calibrated_utc);
  std::uint32_t fewest = ~0U;
  for (const CalibrationRow& row : rows) {
    if (is_streams(row)) fewest = std::min(fewest, row.load.tokens_per_write);
    if (row.fault == Fault::none && row.ttft_error_p99_ms)
      limits.ttft_error_p99_ms =
          std::max(limits.ttft_error_p99_ms.value_or(*row.ttft_error_p99_ms), *row.ttft_error_p99_ms);
  }
  limits.events_per_s_per_thread = limit_of(
      rows, [&](const CalibrationRow& row) { return is_streams(row) && row.load.tokens_per_write == fewest; },
      is_in_bounds, [](const CalibrationRow& row) { return row.writes_per_s; },
      [](const CalibrationRow& row) { return row.load.writes_offered_per_s(); });
  const Load target = [](const CalibrationRow& row) { return row.load.target; };
  limits.streams_per_thread = limit_of(rows, is_streams, is_carried, target, target);
  limits.requests_per_s_per_thread =
      limit_of(rows, is_requests, is_carried, [](const CalibrationRow& row) { return row.requests_per_s; }, target);
  return limits;
}

}  // namespace loadline
