#pragma once
// A part of each level's measured window: what a run is read again by.

#include <optional>
#include <string_view>

#include "core/record.h"
#include "core/units.h"

namespace loadline {

/// Offsets from the start of a level's window.
struct WindowPart {
  Nanos from{};
  std::optional<Nanos> to;  ///< absent: to the window's end
};

/// "30s..120s", "30s..", "..2m". Error where it is none of them, or is empty.
WindowPart parse_window_part(std::string_view text, std::string_view where);

/// Narrows the level's window to the part: what was due before it counts as warm-up, what was due after it as
/// cool-down. False, and nothing changed, where the window ends before the part begins or never opened.
bool narrow_window(const WindowPart& part, LevelRecords& records);

}  // namespace loadline
