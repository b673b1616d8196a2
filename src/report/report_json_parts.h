#pragma once
// The parts of report.json, for report_json*.cpp and for the data inside report.html.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run_report.h"

namespace loadline {

using Json = nlohmann::ordered_json;

/// null where it is not a finite number.
Json json_number(double value);
Json json_number(const std::optional<double>& value);
/// null where empty.
Json json_text(std::string_view text);
/// {value, low, high}
Json json_estimate(const Estimate& estimate);
/// null where nothing was counted.
Json json_lengths(const LengthSummary& lengths);
/// {prompt_ks, completion_ks, log_hit_rate, sample_hit_rate, uncut_hit_rate}; null where there is no log.
Json json_sample(const std::optional<SampleDistance>& sample);
Json json_doubts(const std::vector<Doubt>& doubts);
Json json_objective(const Objective& objective);
/// "p99 ttft<=1000ms", as --slo takes it.
std::string objective_text(const Objective& objective);

Json json_capacity(const std::optional<Capacity>& capacity, const std::vector<Objective>& objectives);
Json json_operating_point(const RunReport& report);
Json json_sweep(const SweepOutcome& sweep, const std::vector<Objective>& objectives);
Json json_level(const LevelResult& level);
/// facts{...} and completeness{...}
Json json_facts(const std::vector<Fact>& facts);
Json json_completeness(const std::vector<Fact>& facts);

}  // namespace loadline
