#pragma once
// How far the monotonic clock of one machine is from another's, from round trips of a message. Pure.

#include <optional>
#include <span>

#include "core/units.h"

namespace loadline {

/// One round trip: asked here, stamped there, answered here. CLOCK_MONOTONIC counts from a moment of the machine's own.
struct ClockSample {
  Nanos sent{};      ///< our clock
  Nanos remote{};    ///< the other's, in between
  Nanos received{};  ///< our clock
};

/// The other's clock minus ours.
struct ClockOffset {
  Nanos offset{};
  Nanos half_round_trip{};  ///< of the shortest trip: the true offset is within this, whatever the way does
  Nanos spread{};  ///< half the range of the offsets that the shortest trips give: what repeats of it differ by
  std::size_t samples = 0;

  Nanos to_theirs(Nanos ours) const { return ours + offset; }
};

/// Absent for no sample. A trip is disturbed by queues and wake-ups, which only ever make it longer and are rarely
/// equal on both ways: so the shortest one decides (the minimum filter of NTP, RFC 5905 section 10).
std::optional<ClockOffset> clock_offset(std::span<const ClockSample> samples);

}  // namespace loadline
