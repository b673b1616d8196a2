#include "app/compared_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/describe_run.h"
#include "app/description.h"
#include "app/plan_file.h"
#include "compare/manifest.h"
#include "curve/operating_point.h"

namespace loadline {

ComparedFolder::ComparedFolder(const std::string& folder, std::string name, const OtherQuestion& other)
    : name_(std::move(name)),
      reader_(folder),
      report_(read_report(folder, other)),
      mean_completion_(description_from(reader_.values()).prescribed_mean_completion()) {}

void ComparedFolder::state(const std::vector<std::string>& assignments, const std::string& flag) {
  for (const Fact& stated : user_facts(assignments)) {
    const auto known = std::ranges::find(report_.facts, stated.key, &Fact::key);
    if (known == report_.facts.end()) {
      report_.facts.push_back(stated);
    } else if (known->source == FactSource::unknown) {
      *known = stated;
    } else if (known->value != stated.value) {
      throw Error(fmt::format("{}: {} says of itself that {} is '{}', not '{}'; leave it out", flag, name_, stated.key,
                              known->value, stated.value));
    }
  }
}

ComparedRun ComparedFolder::side() const {
  ComparedRun run;
  run.name = name_;
  run.report = &report_;
  run.manifest = manifest_with_plan(report_);
  run.records = [this](std::uint32_t ordinal) { return reader_.level(ordinal); };
  run.curve = [this](const std::vector<LevelResult>& levels) {
    return make_curve(levels, report_.objectives, mean_completion_);
  };
  return run;
}

Manifest manifest_with_plan(const RunReport& report) {
  return manifest_of(report, plan_values(report.plan_yaml, "run.sqlite, key plan"));
}

}  // namespace loadline
