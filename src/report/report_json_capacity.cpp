// Capacities, and the sweep that found them, in report.json.

#include <nlohmann/json.hpp>

#include "report/report_json_parts.h"

namespace loadline {
namespace {

/// A rate of exactly 0 is one that was not measured: tokens that were not counted.
Json json_positive(double rate) { return rate > 0 ? json_number(rate) : Json(nullptr); }

/// An estimate that does not exist still has the end that the levels give.
Json json_capacity_figure(const Estimate& estimate, bool exists) {
  Json object = json_estimate(estimate);
  if (!exists || estimate.value <= 0) object["value"] = nullptr;
  return object;
}

Json json_interpolated(const std::optional<Interpolated>& interpolated) {
  if (!interpolated) return nullptr;
  return {{"load", json_number(interpolated->load)},
          {"requests_per_s", json_positive(interpolated->requests_per_s)},
          {"output_tokens_per_s", json_positive(interpolated->output_tokens_per_s)}};
}

Json json_end(const std::optional<SweepEnd>& end) { return end ? Json(std::string(name(*end))) : Json(nullptr); }

Json json_up_and_down(const std::vector<UpAndDown>& rows) {
  Json list = Json::array();
  for (const UpAndDown& row : rows) {
    list.push_back({{"load", json_number(row.load)},
                    {"up", row.up},
                    {"down", row.down},
                    {"difference", json_text(row.difference)}});
  }
  return list;
}

}  // namespace

Json json_capacity(const std::optional<Capacity>& capacity, const std::vector<Objective>& objectives) {
  if (!capacity) return nullptr;
  const Capacity& c = *capacity;
  const bool known_limit = c.binding_objective < objectives.size();
  return {{"load", c.estimate_exists ? json_number(c.load.value) : Json(nullptr)},
          {"load_low", json_number(c.load.low)},
          {"load_high", json_number(c.load.high)},
          {"requests_per_s", json_capacity_figure(c.requests_per_s, c.estimate_exists)},
          {"output_tokens_per_s", json_capacity_figure(c.output_tokens_per_s, c.estimate_exists)},
          {"slope_below", c.estimate_exists ? json_number(c.slope_below) : Json(nullptr)},
          {"slope_above", c.estimate_exists ? json_number(c.slope_above) : Json(nullptr)},
          {"levels_near", c.estimate_exists ? Json(c.levels_near) : Json(nullptr)},
          {"crossing", std::string(name(c.crossing))},
          {"binding_limit", known_limit ? Json(objective_text(objectives[c.binding_objective])) : Json(nullptr)},
          {"bracket_low", json_number(c.bracket_low)},
          {"bracket_high", json_number(c.bracket_high)},
          {"interpolated", json_interpolated(c.interpolated)}};
}

Json json_operating_point(const RunReport& report) {
  if (!report.operating_point) return nullptr;
  Json object = {{"kind", std::string(name(report.operating_point->kind))}};
  object.update(json_capacity(report.operating_point, report.objectives));
  return object;
}

Json json_sweep(const SweepOutcome& sweep, const std::vector<Objective>& objectives) {
  Json passes = Json::array();
  for (const PassCapacity& pass : sweep.passes) {
    passes.push_back({{"pass", pass.pass},
                      {"closed", json_capacity(pass.closed, objectives)},
                      {"open", json_capacity(pass.open, objectives)}});
  }
  return {
      {"mode", sweep.mode},
      {"closed_end", json_end(sweep.closed_end)},
      {"open_end", json_end(sweep.open_end)},
      {"for_other_objective", sweep.for_other_objective},
      {"engine_s", json_number(sweep.engine_s)},
      {"closed_budget_s", json_number(sweep.closed_budget_s)},
      {"open_budget_s", json_number(sweep.open_budget_s)},
      {"precision_asked", json_number(sweep.precision_asked)},
      {"closed_precision", json_number(sweep.closed_precision)},
      {"open_precision", json_number(sweep.open_precision)},
      {"closed_visits", sweep.closed_visits},
      {"open_visits", sweep.open_visits},
      {"passes", passes},
      {"between_passes_requests_per_s", sweep.between_passes ? json_estimate(*sweep.between_passes) : Json(nullptr)},
      {"up_and_down", json_up_and_down(sweep.up_and_down)}};
}

}  // namespace loadline
