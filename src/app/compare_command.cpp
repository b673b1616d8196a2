#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "app/commands.h"
#include "app/compare_live.h"
#include "app/compare_output.h"
#include "app/compared_folder.h"
#include "app/refuse_options.h"
#include "app/run_folder.h"
#include "compare/compare.h"

namespace loadline {
namespace {

bool is_live(const ComparedSide& side) { return side.kind != SideKind::folder; }

/// Both targets are measured into a folder of the comparison; then they are two folders like any others.
struct Folders {
  std::string a, b, output_dir;
};

void require_two_runs(const CompareSpec& spec) {
  std::error_code error;
  if (spec.a == spec.b || std::filesystem::equivalent(spec.a, spec.b, error))
    throw Error(fmt::format("{} and {} are the same run; a comparison needs two", spec.a, spec.b));
  refuse_options(spec.run, {"Target", "Timeouts", "Embedded engine", "Input", "Load"},
                 "the two runs are measured already; leave it out, or compare live targets (a URL, engine:, model:)");
}

ExitStatus status_of(const Comparison& comparison) {
  const bool refused = comparison.manifest.comparability == Comparability::refused;
  if (refused && !comparison.forced) return ExitStatus::comparison_refused;
  return comparison.valid ? ExitStatus::valid : ExitStatus::not_valid;
}

ExitStatus compare_folders(const CompareSpec& spec, const Folders& folders, const std::string& command_line) {
  const OtherQuestion question{spec.run.slo, spec.run.goodput};
  ComparedFolder a(folders.a, spec.a, question), b(folders.b, spec.b, question);
  for (ComparedFolder* side : {&a, &b}) side->state(spec.run.fact, "--fact");
  a.state(spec.fact_a, "--fact-a");
  b.state(spec.fact_b, "--fact-b");
  ComparisonSettings settings{spec.variable, spec.force, {spec.bootstrap_seed}};
  Comparison comparison = compare(a.side(), b.side(), settings);
  comparison.version = LOADLINE_VERSION;
  comparison.command = command_line;
  show_comparison(comparison, a.report(), b.report(), std::nullopt,
                  {spec.format, folders.output_dir, spec.run.json, spec.run.quiet});
  return status_of(comparison);
}

}  // namespace

ExitStatus compare_command(const CompareSpec& spec, const std::string& command_line) {
  const ComparedSide a = parse_side(spec.a), b = parse_side(spec.b);
  if (!is_live(a) && !is_live(b)) {
    require_two_runs(spec);
    check_output({spec.format, spec.run.output_dir});
    return compare_folders(spec, {spec.a, spec.b, spec.run.output_dir}, command_line);
  }
  if (is_live(a) != is_live(b)) {
    throw Error(
        fmt::format("'{}' is measured and '{}' is live: their levels cannot be interleaved; measure the target "
                    "with `loadline run` and the same plan, then compare the two folders",
                    is_live(a) ? spec.b : spec.a, is_live(a) ? spec.a : spec.b));
  }
  const std::string folder = choose_run_folder(spec.run.output_dir, "comparison");
  check_output({spec.format, folder});
  if (!compare_live(spec, a, b, folder, command_line)) {
    fmt::print(stderr, "loadline: interrupted; what was measured is in {0}/a and {0}/b\n", folder);
    return ExitStatus::interrupted;
  }
  return compare_folders(spec, {folder + "/a", folder + "/b", folder}, command_line);
}

}  // namespace loadline
