#pragma once
// An instant of the calendar as text.

#include <string>

#include "core/units.h"

namespace loadline {

/// "2026-11-02T09:15:00.412Z": in UTC, as many fraction digits as are needed. Of times from 1970 to 2200.
std::string utc_text(Nanos since_epoch);

}  // namespace loadline
