#pragma once
// One level of a run from its plan to its result: drawn, planned, run by a driver, described and measured.

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "app/description.h"
#include "app/input.h"
#include "app/level_driver.h"
#include "app/plan_level.h"
#include "app/run_spec.h"
#include "app/settings.h"
#include "core/level_result.h"

namespace loadline {

/// What the nearest level of the same kind tells of `level`; before the first rate, the users who carried about as
/// much.
Expectation expect(const Level& level, const std::vector<LevelResult>& results);

/// Texts of the log that the run has sent.
class TextsSeen {
 public:
  /// How many of `requests` were sent before.
  std::uint64_t take(const std::vector<Request>& requests);

 private:
  std::unordered_set<std::uint64_t> rows_;
};

/// The levels of one run, one after the other. All that it is given outlives it.
class LevelRunner {
 public:
  LevelRunner(const RunSpec& spec, const RunSettings& settings, const Input& input, LevelDriver& driver,
              RunDescription& description)
      : spec_(spec), settings_(settings), input_(input), driver_(driver), description_(description) {}

  /// Level `ordinal` of the run. Absent when the run was interrupted: then the level does not count.
  std::optional<LevelResult> run(const Level& level, std::uint32_t ordinal, const Expectation& expected);

 private:
  void describe(const Plan& plan, const LevelRecords& records, Workload& workload);

  const RunSpec& spec_;
  const RunSettings& settings_;
  const Input& input_;
  LevelDriver& driver_;
  RunDescription& description_;
  TextsSeen texts_seen_;
};

}  // namespace loadline
