#pragma once
// Dates with their time of day as logs write them: ISO 8601 with a blank or a T, up to nine fraction digits, with or
// without a zone.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/units.h"
#include "core/utc_text.h"

namespace loadline {

struct UtcTime {
  Nanos since_epoch{};  ///< 1970-01-01T00:00:00Z
  int fraction_digits = 0;
};

/// Remembers the last date, so that a log's next row costs little.
class UtcTimeReader {
 public:
  /// "2023-11-16 18:15:46.6805900", "2024-05-12T00:00:00.003+00:00", "...Z". A time without a zone is UTC.
  /// Nothing for anything else, also for days and hours that do not exist and years outside 1970 to 2200.
  std::optional<UtcTime> read(std::string_view text);

 private:
  std::int64_t midnight(std::string_view date);  ///< seconds; negative for no date

  char last_date_[10] = {};
  std::int64_t last_midnight_ = -1;
};

}  // namespace loadline
