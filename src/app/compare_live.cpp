#include "app/compare_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/assemble.h"
#include "app/compared_folder.h"
#include "app/describe_run.h"
#include "app/level_runner.h"
#include "app/live_side.h"
#include "app/outputs.h"
#include "app/read_report.h"
#include "app/run_setup.h"
#include "app/stop_signal.h"
#include "compare/difference.h"
#include "core/error.h"

namespace loadline {
namespace {

/// A side with what runs its levels.
struct RunningSide {
  std::unique_ptr<LiveSide> side;
  std::unique_ptr<LevelRunner> runner;
  std::vector<LevelResult> results;
};
using BothSides = std::array<RunningSide, 2>;

/// One salt for both, so that both get the same words; but one server is asked twice in other words, as its prefix
/// cache would know them.
RunSpec spec_of_side(const RunSpec& shared, std::size_t side, const std::vector<std::string>& facts, bool one_server) {
  RunSpec spec = shared;
  spec.fact.insert(spec.fact.end(), facts.begin(), facts.end());
  if (one_server) spec.salt += side == 0 ? "-a" : "-b";
  return spec;
}

Manifest manifest_before(LiveSide& side, const RunSettings& settings) {
  return manifest_with_plan(assemble(side.description(), question_of(settings), {}));
}

void refuse_before_a_level(BothSides& sides, const RunSettings& settings, const CompareSpec& spec) {
  const ManifestDifference difference = difference_of(manifest_before(*sides[0].side, settings),
                                                      manifest_before(*sides[1].side, settings), spec.variable);
  if (difference.comparability != Comparability::refused || spec.force) return;
  throw Error(fmt::format("refused before the first level: {} (--force measures all the same)",
                          fmt::join(difference.reasons, " ")),
              ExitStatus::comparison_refused);
}

/// Every load of one pass on both sides. What is expected of a level is told by A alone, so that both plans are equal.
/// False where it was interrupted.
bool run_pass(BothSides& sides, const std::vector<Level>& levels, std::uint32_t pass) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Level level = levels[i];
    level.pass = pass;
    const auto ordinal = static_cast<std::uint32_t>(pass * levels.size() + i);
    const Expectation expected = expect(level, sides[0].results);
    for (const std::size_t turn : {0, 1}) {
      RunningSide& running = sides.at((turn + pass) % 2);
      const std::optional<LevelResult> result = running.runner->run(level, ordinal, expected);
      if (!result) return false;
      running.results.push_back(*result);
    }
  }
  return true;
}

/// What both sides tell, such as of the client, is said once.
void say_remarks(const BothSides& sides, Progress& progress) {
  const std::vector<std::string>&a = sides[0].side->remarks(), &b = sides[1].side->remarks();
  for (const std::string& remark : a) {
    const bool of_both = std::ranges::find(b, remark) != b.end();
    progress.remark(of_both ? remark : "A: " + remark);
  }
  for (const std::string& remark : b) {
    if (std::ranges::find(a, remark) == a.end()) progress.remark("B: " + remark);
  }
}

RunSpec shared_spec(const CompareSpec& spec) {
  RunSpec shared = spec.run;
  shared.repeats = spec.pairs;  // so that its runs, read again, know their passes
  if (shared.salt.empty()) shared.salt = fresh_salt();
  return shared;
}

}  // namespace

bool compare_live(const CompareSpec& spec, const ComparedSide& a, const ComparedSide& b, const std::string& folder,
                  const std::string& command_line) {
  if (spec.pairs == 0 || spec.pairs > 1000) throw Error("--pairs: must be 1 to 1000");
  const RunSpec shared = shared_spec(spec);
  RunSettings settings = settle(shared);
  if (settings.levels.empty()) {
    throw Error("two live targets are compared at loads that you list; add --concurrency LIST or --request-rate LIST");
  }
  const Input input = open_input(shared, shared.quiet);
  take_rates_from_log(settings, log_rate_per_s(input));
  const ClassNames names = settle_classes(input, settings);
  plan_first_levels(shared, settings, input);
  Progress progress(progress_kind(shared.ui, shared.quiet || shared.json));
  const StopSignal stop;

  BothSides sides;
  const bool one_server = a.kind == SideKind::url && a.text == b.text;
  for (const std::size_t i : {0, 1}) {
    const RunSpec of_side = spec_of_side(shared, i, i == 0 ? spec.fact_a : spec.fact_b, one_server);
    sides[i].side = reach_side(i == 0 ? a : b, of_side, input, command_line, progress, stop.asked());
    sides[i].side->description().class_names = names;
  }
  refuse_before_a_level(sides, settings, spec);
  say_remarks(sides, progress);
  for (const std::size_t i : {0, 1}) {
    LiveSide& side = *sides[i].side;
    side.description().closed_end = SweepEnd::listed;
    side.open(folder + (i == 0 ? "/a" : "/b"));
    sides[i].runner = std::make_unique<LevelRunner>(side.spec(), settings, input, side.driver(), side.description());
  }
  bool complete = true;
  for (std::uint32_t pass = 0; complete && pass < spec.pairs; ++pass) {
    progress.remark(fmt::format("pair {} of {}, {} first", pass + 1, spec.pairs, pass % 2 == 0 ? "A" : "B"));
    complete = run_pass(sides, settings.levels, pass);
  }
  for (RunningSide& running : sides) running.side->close(!complete);
  for (const char* name : {"/a", "/b"}) write_files(read_report(folder + name, {}), all_formats(), folder + name);
  return complete;
}

}  // namespace loadline
