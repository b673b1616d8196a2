#pragma once
// Does the queue of an open loop grow? docs/method.md section 4, Saturation.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.h"

namespace loadline {

/// Told the number in flight once a second, judges every 10 s whether it grows for good. A judgement costs the same
/// however long the level has run; memory grows with the changes of the number, not with time.
class SaturationWatch {
 public:
  /// `rate` offered, requests/s. The first judgement is at 30 s of samples, or after 3 `expected_e2e` where that is
  /// longer: a level that starts empty fills for about that long, which is not a growing queue.
  SaturationWatch(double rate, std::optional<Nanos> expected_e2e);
  /// The next second's number in flight; the first call is for second 1 of the level.
  void sample(double in_flight);
  /// The next `seconds` seconds saw nothing in flight: no queue, and so no growth in them. O(1).
  void sample_idle(std::uint64_t seconds);
  /// Two judgements in a row found growth. Stays true.
  bool saturated() const { return saturated_; }
  /// The last two judgements found it.
  bool grows_still() const { return grew_before_ && grew_twice_; }
  /// Requests/s by which the queue grew at the last judgement that found growth.
  std::optional<double> growth_per_s() const { return growth_; }

 private:
  /// Seconds of one and the same number in flight: where they end, and the sum of all samples up to there.
  struct Stretch {
    std::uint64_t end = 0;
    double in_flight = 0, sum = 0;
  };

  void lengthen(double in_flight, std::uint64_t seconds);
  std::uint64_t samples() const { return stretches_.empty() ? 0 : stretches_.back().end; }
  double sum_of_first(std::uint64_t count) const;
  void judge();

  double rate_;
  std::uint64_t first_judgement_;
  std::vector<Stretch> stretches_;
  bool grew_before_ = false, grew_twice_ = false, saturated_ = false;
  std::optional<double> growth_;
};

}  // namespace loadline
