#include "app/compared_folder.h"

#include <utility>

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
