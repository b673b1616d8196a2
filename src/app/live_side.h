#pragma once
// One target of a live comparison: a run of its own, whose levels the comparison calls in turn with those of the other
// side.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "app/compare_spec.h"
#include "app/description.h"
#include "app/input.h"
#include "app/level_driver.h"
#include "app/progress.h"

namespace loadline {

class LiveSide {
 public:
  virtual ~LiveSide() = default;
  /// The run as it is described; filled further while it goes on.
  RunDescription& description() { return description_; }
  const RunSpec& spec() const { return spec_; }
  /// What the user is told of the target and the client before the first level.
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// Makes its folder and starts its clock.
  virtual void open(const std::string& folder) = 0;
  /// After open().
  virtual LevelDriver& driver() = 0;
  /// The last level is over: asks the target again whether it is the one it was, and closes the run's file.
  virtual void close(bool interrupted) = 0;

 protected:
  LiveSide(RunSpec spec, RunDescription description) : spec_(std::move(spec)), description_(std::move(description)) {}
  RunSpec spec_;
  RunDescription description_;
  std::vector<std::string> remarks_;
};

/// Reaches the target of `side` and describes it. `spec`: of this side, but for its target; `input`, `progress` and
/// `stop` outlive the side. Error (exit 3) where the target cannot be used.
std::unique_ptr<LiveSide> reach_side(const ComparedSide& side, const RunSpec& spec, const Input& input,
                                     const std::string& command_line, Progress& progress,
                                     const std::atomic<bool>& stop);

}  // namespace loadline
