#pragma once
// Does the queue of an open loop grow? docs/method.md section 4, Saturation.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.h"

namespace loadline {

/// Told the number in flight once a second, judges every 10 s whether it grows for good.
class SaturationWatch {
 public:
  /// `rate` offered, requests/s. The first judgement is at 30 s of samples, or after 3 `expected_e2e` where that is
  /// longer: a level that starts empty fills for about that long, which is not a growing queue.
  SaturationWatch(double rate, std::optional<Nanos> expected_e2e);
  /// The next second's number in flight; the first call is for second 1 of the level.
  void sample(double in_flight);
  /// Two judgements in a row found growth. Stays true.
  bool saturated() const { return saturated_; }
  /// Requests/s by which the queue grew at the last judgement that found growth.
  std::optional<double> growth_per_s() const { return growth_; }

 private:
  void judge();

  double rate_;
  std::size_t first_judgement_;
  std::vector<double> samples_;
  bool grew_before_ = false, saturated_ = false;
  std::optional<double> growth_;
};

}  // namespace loadline
