#include "app/calibration_json.h"

#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace loadline {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct LimitField {
  const char* key;
  std::optional<ProvenLimit> ClientCalibration::* member;
};
constexpr std::array<LimitField, 3> limit_fields = {
    {{"events_per_s_per_thread", &ClientCalibration::events_per_s_per_thread},
     {"streams_per_thread", &ClientCalibration::streams_per_thread},
     {"requests_per_s_per_thread", &ClientCalibration::requests_per_s_per_thread}}};

OrderedJson figure(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? OrderedJson(*value) : OrderedJson(nullptr);
}

ProvenLimit limit_from(const nlohmann::json& json) {
  const ProvenLimit limit{json.at("value").get<double>(), json.at("at_least").get<bool>()};
  if (!(limit.value >= 0) || !std::isfinite(limit.value)) throw Error("a limit is below 0");
  return limit;
}

struct FigureField {
  const char* key;
  std::optional<double> CalibrationRow::* member;
};
constexpr std::array<FigureField, 14> figure_fields = {
    {{"ttft_error_p1_ms", &CalibrationRow::ttft_error_p1_ms},
     {"ttft_error_p50_ms", &CalibrationRow::ttft_error_p50_ms},
     {"ttft_error_p99_ms", &CalibrationRow::ttft_error_p99_ms},
     {"gap_error_p50_ms", &CalibrationRow::gap_error_p50_ms},
     {"gap_error_p99_ms", &CalibrationRow::gap_error_p99_ms},
     {"read_lateness_p99_ms", &CalibrationRow::read_lateness_p99_ms},
     {"send_lateness_p50_ms", &CalibrationRow::send_lateness_p50_ms},
     {"send_lateness_p99_ms", &CalibrationRow::send_lateness_p99_ms},
     {"send_lateness_max_ms", &CalibrationRow::send_lateness_max_ms},
     {"cpu_share", &CalibrationRow::cpu_share},
     {"cpu_us_per_event", &CalibrationRow::cpu_us_per_event},
     {"engine_lateness_p99_ms", &CalibrationRow::engine_lateness_p99_ms},
     {"engine_cpu_us_per_write", &CalibrationRow::engine_cpu_us_per_write},
     {"waited_share", &CalibrationRow::waited_share}}};

}  // namespace

OrderedJson json_of(const ClientCalibration& calibration) {
  OrderedJson json = {{"calibrated_utc", calibration.calibrated_utc}};
  for (const LimitField& field : limit_fields) {
    const std::optional<ProvenLimit>& limit = calibration.*field.member;
    json[field.key] =
        limit ? OrderedJson{{"value", limit->value}, {"at_least", limit->at_least}} : OrderedJson(nullptr);
  }
  json["ttft_error_p99_ms"] = figure(calibration.ttft_error_p99_ms);
  return json;
}

ClientCalibration calibration_from(const nlohmann::json& json) {
  ClientCalibration calibration;
  calibration.calibrated_utc = json.at("calibrated_utc").get<std::string>();
  for (const LimitField& field : limit_fields) {
    const nlohmann::json& limit = json.at(field.key);
    if (!limit.is_null()) calibration.*field.member = limit_from(limit);
  }
  const nlohmann::json& error = json.at("ttft_error_p99_ms");
  if (!error.is_null()) calibration.ttft_error_p99_ms = error.get<double>();
  return calibration;
}

OrderedJson json_of(const CalibrationRow& row) {
  const bool streams = row.load.kind == LevelKind::concurrency;
  OrderedJson json = {
      {"kind", streams ? "streams" : "requests"},
      {"streams", streams ? OrderedJson(row.load.target) : OrderedJson(nullptr)},
      {"writes_per_s_per_stream", streams ? OrderedJson(row.load.writes_per_s) : OrderedJson(nullptr)},
      {"tokens_per_write", row.load.tokens_per_write},
      {"phases", streams ? OrderedJson(row.load.phases == Phases::burst ? "burst" : "spread") : OrderedJson(nullptr)},
      {"requests_per_s_offered", streams ? OrderedJson(nullptr) : OrderedJson(row.load.target)},
      {"events_per_s_offered", row.load.events_offered_per_s()},
      {"threads", row.threads},
      {"measured_s", row.measured_s},
      {"requests", row.requests},
      {"failed", row.failed},
      {"first_tokens_compared", row.first_tokens},
      {"gaps_compared", row.gaps},
      {"events_per_s", row.events_per_s},
      {"reads_per_s", row.writes_per_s},
      {"requests_per_s", row.requests_per_s},
      {"streams_open", row.streams_open}};
  for (const FigureField& field : figure_fields) json[field.key] = figure(row.*field.member);
  json["fault"] = std::string(name(row.fault));
  json["reason"] = row.reason.empty() ? OrderedJson(nullptr) : OrderedJson(row.reason);
  return json;
}

}  // namespace loadline
