#include <fmt/format.h>

#include <filesystem>

#include "app/commands.h"
#include "app/compare_output.h"
#include "app/compared_folder.h"
#include "app/values.h"
#include "compare/compare.h"
#include "compare/gate.h"

namespace loadline {
namespace {

void require_baseline(const GateSpec& spec) {
  if (spec.against.empty())
    throw Error("--against BASELINE is missing: a gate holds a run against a baseline's folder");
  std::error_code error;
  if (spec.run == spec.against || std::filesystem::equivalent(spec.run, spec.against, error))
    throw Error(fmt::format("--against: {} is the run itself; give the folder of another run", spec.against));
}

}  // namespace

ExitStatus gate_command(const GateSpec& spec, const std::string& command_line) {
  require_baseline(spec);
  const double slower_than = parse_share(spec.slower_than, "--slower-than");
  if (slower_than >= 1) throw Error("--slower-than: a loss of 100% or more is no gate; give less, such as 3%");
  const ComparisonOutput output{"", spec.output_dir, spec.json, spec.quiet};
  check_output(output);

  const OtherQuestion question{spec.slo, spec.goodput};
  const ComparedFolder baseline(spec.against, spec.against, question), run(spec.run, spec.run, question);
  Comparison comparison = compare(baseline.side(), run.side(), {spec.variable, false, {}});
  comparison.version = LOADLINE_VERSION;
  comparison.command = command_line;
  const bool refused = comparison.manifest.comparability == Comparability::refused;
  std::optional<Gate> gate;
  if (!refused) gate = gate_of(comparison, slower_than, spec.strict);
  show_comparison(comparison, baseline.report(), run.report(), gate, output);
  if (refused) return ExitStatus::comparison_refused;
  return gate->pass ? ExitStatus::valid : ExitStatus::not_valid;
}

}  // namespace loadline
