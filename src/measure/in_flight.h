#pragma once
// Requests in flight over time: their mean, Little's law, and whether an open loop's queue grows.

#include <optional>

#include "core/level_result.h"
#include "measure/measured_set.h"

namespace loadline {

/// Over the window. In flight is from sent to closed, in decode from the first to the last token.
struct Occupancy {
  double in_flight_mean = 0, in_flight_max = 0, in_decode_mean = 0;
};
Occupancy occupancy(const LevelRecords& records, const Window& window);

/// L = `in_flight_mean`; x and w over the requests of R that were sent, failed ones too. Absent where none was.
std::optional<LittlesLaw> littles_law(const LevelRecords& records, const MeasuredSet& set, double in_flight_mean);

/// Requests/s by which the queue of an open level grows, if the rule of the method found it saturated before its
/// window closed; absent in a closed loop and where the queue is steady. Counts from due to closed, once a second.
std::optional<double> growth_of_queue(const LevelRecords& records, const Window& window, const LevelRules& rules);

}  // namespace loadline
