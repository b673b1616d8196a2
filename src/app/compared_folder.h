#pragma once
// A run folder as one side of a comparison.

#include <memory>
#include <string>

#include "app/read_report.h"
#include "compare/compare.h"
#include "report/run_reader.h"

namespace loadline {

class ComparedFolder {
 public:
  /// Reads the run of `folder` by the question `other`. `name`: how the user calls it. Error (exit 2) where there is no
  /// readable run.
  ComparedFolder(const std::string& folder, std::string name, const OtherQuestion& other);
  /// Facts ("KEY=VALUE") that the run does not know. Error where it knows another value, naming `flag`.
  void state(const std::vector<std::string>& assignments, const std::string& flag);
  const RunReport& report() const { return report_; }
  /// Refers to this object, which outlives it.
  ComparedRun side() const;

 private:
  std::string name_;
  RunReader reader_;
  RunReport report_;
  std::optional<double> mean_completion_;  ///< of the workload, where lengths are prescribed and obeyed
};

/// The manifest of a report with its effective plan.
Manifest manifest_with_plan(const RunReport& report);

}  // namespace loadline
