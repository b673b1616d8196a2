#pragma once
// How finely a log's stamps are written: the finest step that any of them shows.

#include <algorithm>
#include <cmath>

#include "core/trace.h"

namespace loadline {

class StampResolution {
 public:
  /// A stamp in `unit` with `decimals` digits behind the point: "1.250" s shows steps of a millisecond.
  void note(Nanos unit, int decimals) {
    if (unit == last_unit_ && decimals == last_decimals_) return;  // nearly always: the log has one way of writing
    last_unit_ = unit;
    last_decimals_ = decimals;
    const double step_ms = loadline::milliseconds(unit) / std::pow(10.0, decimals);
    step_ms_ = step_ms_ > 0 ? std::min(step_ms_, step_ms) : step_ms;
  }
  /// A stamp of text, with `fraction_digits` behind its seconds.
  void note_text(int fraction_digits) { note(std::chrono::seconds(1), fraction_digits); }
  /// 0 where no stamp was seen.
  double step_ms() const { return step_ms_; }

 private:
  double step_ms_ = 0;
  Nanos last_unit_{};
  int last_decimals_ = 0;
};

}  // namespace loadline
