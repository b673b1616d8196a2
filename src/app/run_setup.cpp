#include "app/run_setup.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/calibration_store.h"
#include "app/client_setup.h"
#include "app/plan_level.h"
#include "core/error.h"

namespace loadline {
namespace {

bool has_unknown_completions(const Input& input) {
  return input.trace &&
         std::ranges::any_of(input.trace->rows, [](const TraceRow& row) { return row.completion.value() == 0; });
}

}  // namespace

ClassNames settle_classes(const Input& input, RunSettings& settings) {
  ClassNames names = class_names(settings.rules.objectives, input.trace ? &*input.trace : nullptr);
  resolve_classes(settings.rules.objectives, names);
  return names;
}

std::vector<std::string> describe_measured(const RunSpec& spec, const Input& input, const ReachedTarget& reached,
                                           RunDescription& description) {
  describe_target(spec, reached, description);
  description.client_threads = client_threads_of(spec);
  description.client_limits = limits_of(spec, client_settings_of(spec), reached.target.servers.size());
  const KnownCalibration known = load_calibration(usual_calibration_file(), this_machine());
  description.calibration = known.calibration;
  apply_unknown_completions(input, reached.target, description);
  std::vector<std::string> remarks = reached.target.remarks;
  if (!known.remark.empty()) remarks.push_back(known.remark);
  return remarks;
}

void apply_unknown_completions(const Input& input, const Target& target, RunDescription& description) {
  if (!has_unknown_completions(input)) return;
  description.lengths_forced = false;
  description.doubts.push_back(make_doubt(
      "lengths_not_as_drawn", std::nullopt,
      "The log does not tell how long answers were, so none was asked for: their lengths are the model's own."));
  if (const EndpointRow& endpoint = endpoint_row(target.endpoint); endpoint.needs_length) {
    throw Error(
        fmt::format("the log does not tell how long answers were, and the {} endpoint ends them after a few tokens, or "
                    "refuses, when nobody says; use a server with chat completions (--endpoint-type chat)",
                    endpoint.words));
  }
}

void plan_first_levels(const RunSpec& spec, const RunSettings& settings, const Input& input) {
  std::uint32_t ordinal = 0;
  for (const Level& level : settings.levels) {
    Workload workload;
    if (level.arrivals == Arrivals::trace) plan_level(spec, input, level, settings.rules, ordinal, {}, workload);
    ++ordinal;
  }
}

}  // namespace loadline
