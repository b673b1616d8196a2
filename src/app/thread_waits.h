#pragma once
// How long this process's threads were ready to run and had no core: the mark of a machine that does other work too.

#include <map>
#include <optional>
#include <string>

#include "core/units.h"

namespace loadline {

/// By thread, since its start. Empty where the system does not tell (Linux: schedstat).
using ThreadWaits = std::map<std::string, Nanos>;
ThreadWaits thread_waits();

/// Of the thread that waited most, of those that lived from the first reading to the second, `span` later; absent where
/// there are none.
std::optional<double> waited_share(const ThreadWaits& from, const ThreadWaits& to, Nanos span);

}  // namespace loadline
