#pragma once
// Which requests a level measures, and its books.

#include <cstdint>
#include <vector>

#include "core/level.h"
#include "core/level_result.h"
#include "core/record.h"

namespace loadline {

/// The window as it is known: a level cut off inside it is measured up to where it ended.
struct Window {
  RunTime start{}, end{};
  double seconds() const { return loadline::seconds(end - start); }
  bool holds(RunTime t) const { return t >= start && t < end; }
};

/// R and what surrounds it: indices into records.requests.
struct MeasuredSet {
  bool has_window = false;
  Window window;
  std::vector<std::uint32_t> members;                  ///< R, in order of due
  std::vector<std::uint32_t> succeeded;                ///< of R
  std::uint64_t warmup = 0;                            ///< released before the window
  std::uint64_t failed = 0, censored = 0, unsent = 0;  ///< of R
  /// Requests of R that count: neither censored nor unsent.
  std::uint64_t judged() const { return succeeded.size() + failed; }
};

/// Where several requests are due at the very instant at which an exact number of requests is reached, those beyond
/// `rules`' number are left out.
MeasuredSet measured_set(const LevelRecords& records, const LevelRules& rules);

/// Over every released request (one with a due moment). Throws Bug when they do not balance.
Books books_of(const LevelRecords& records, const MeasuredSet& set);

}  // namespace loadline
