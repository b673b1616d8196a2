#include "app/read_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/assemble.h"
#include "app/plan_file.h"
#include "app/settings.h"
#include "app/values.h"
#include "app/window_part.h"
#include "measure/measure.h"
#include "report/labels.h"
#include "report/run_reader.h"

namespace loadline {
namespace {

RunSettings settings_of(const std::map<std::string, std::string>& values, const OtherQuestion& other) {
  RunSpec spec;
  if (const auto plan = values.find("plan"); plan != values.end())
    read_plan_text(plan->second, "run.sqlite, key plan", spec);
  if (!other.slo.empty()) spec.slo = other.slo;
  if (!other.goodput.empty()) spec.goodput = other.goodput;
  return settle(spec);
}

/// The run's own objectives, which its sweep was steered by, are others than `objectives`.
bool asks_otherwise(const std::map<std::string, std::string>& values, const std::vector<Objective>& objectives) {
  const std::vector<Objective> own = settings_of(values, {}).rules.objectives;
  return !std::ranges::equal(own, objectives, {}, objective_label, objective_label);
}

std::string reading_words(const std::string& window, const std::vector<std::string>& outside) {
  std::string words = fmt::format("Only the requests due in the part {} of each level's window are read here", window);
  if (outside.empty()) return words + ".";
  return words + fmt::format("; left out, because {} window is shorter: {}.", outside.size() == 1 ? "its" : "their",
                             fmt::join(outside, ", "));
}

}  // namespace

RunReport read_report(const std::string& folder, const OtherQuestion& other) {
  const std::optional<WindowPart> part =
      other.window.empty() ? std::nullopt : std::optional(parse_window_part(other.window, "--window"));
  const RunReader reader(folder);
  const std::map<std::string, std::string> values = reader.values();
  RunDescription description = description_from(values);
  description.facts = reader.facts();
  const std::vector<Doubt> stored_doubts = reader.doubts();
  std::ranges::copy_if(stored_doubts, std::back_inserter(description.doubts),
                       [](const Doubt& doubt) { return !doubt.level; });
  RunSettings settings = settings_of(values, other);
  resolve_classes(settings.rules.objectives, description.class_names);

  std::vector<LevelResult> levels;
  std::vector<std::string> left_out, outside;
  for (const std::uint32_t ordinal : reader.ordinals()) {
    LevelRecords records = reader.level(ordinal);
    if (records.state != "complete") {
      left_out.push_back(fmt::format("level {} ({}) was interrupted after {} requests", ordinal + 1,
                                     level_label(records.level), records.requests.size()));
      continue;
    }
    if (part && !narrow_window(*part, records)) {
      outside.push_back(level_label(records.level));
      continue;
    }
    LevelResult result = measure(records, settings.rules, settings.goodput_limits, description.engine_speed,
                                 description.calibration ? &*description.calibration : nullptr);
    for (const Doubt& doubt : stored_doubts) {
      if (doubt.level == ordinal) result.doubts.push_back(doubt);
    }
    levels.push_back(std::move(result));
  }

  RunReport report = assemble(description, question_of(settings), std::move(levels));
  report.sweep.for_other_objective = !other.slo.empty() && asks_otherwise(values, report.objectives);
  if (part) {
    report.reading = reading_words(other.window, outside);
    report.sentence += " " + report.reading;
  }
  const auto state = values.find("state");
  report.interrupted = state == values.end() || state->second != "complete";
  if (report.interrupted) {
    report.interruption =
        left_out.empty()
            ? "The run was stopped before its last level, or still goes on; the levels shown are complete."
            : fmt::format("The run was stopped, or still goes on: {} and is left out; the levels shown are complete.",
                          fmt::join(left_out, ", "));
    report.sentence += " " + report.interruption;
  }
  return report;
}

}  // namespace loadline
