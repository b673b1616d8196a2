#pragma once
// Whose fault is it? The user's (options, files) or the surroundings', so that nothing can be measured: an Error, which
// main turns into a sentence. Ours: a Bug, found by check(). The target's is neither: it is measured (core/outcome.h).

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace loadline {

/// Exit statuses of the program (docs/reference).
enum class ExitStatus : int {
  valid = 0,
  not_valid = 1,       ///< finished, but an invalidating doubt stands
  unusable_input = 2,  ///< arguments, plan, trace
  unusable_target = 3,
  comparison_refused = 4,
  bug = 70,
  interrupted = 130,
};

/// The run cannot go on. `what()` is one sentence for the user: what is wrong, where (file, line, key),
/// what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence, ExitStatus status = ExitStatus::unusable_input)
      : std::runtime_error(sentence), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

/// A fault of ours, with the place. Not an Error: it is reported as a bug.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Bug when `holds` is false. Stays on in release builds.
void check(bool holds, std::string_view claim, std::source_location where = std::source_location::current());

}  // namespace loadline
