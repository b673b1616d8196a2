#pragma once
// The requests of one load of a calibration.

#include <string>

#include "app/calibrate_row.h"
#include "core/plan.h"

namespace loadline {

/// Streams: each user asks for one answer after the other, of a length that gives every stream at least two answers
/// within `duration` and all of them together about a thousand. Requests: one token each, evenly in time. Enough for
/// `whole`, the duration with its warm-up.
Plan plan_of(const CalibrationLoad& load, Nanos duration, Nanos whole);

/// The body of one of them: its prompt is its index in the plan, by which the engine's stamps name it.
void write_calibration_body(const Plan& plan, std::uint32_t plan_index, std::string& body);

}  // namespace loadline
