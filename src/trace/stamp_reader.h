#pragma once
// The stamps of one log, as text or as numbers, and what they show of its clock: zone, date, resolution.

#include <optional>
#include <string_view>

#include "trace/stamp_resolution.h"
#include "trace/utc_time.h"

namespace loadline {

class StampReader {
 public:
  /// Of a number, in `unit`; without one its size must tell: seconds, ms, us or ns after 1970, of times after 2001. Of
  /// text: ISO 8601, also with a zone "+00" or " UTC". Nothing for anything else.
  std::optional<Nanos> read(std::string_view text, std::optional<Nanos> unit);
  /// Writes resolution and zone to `trace`; `bare_zone` is that of texts without a zone.
  void settle(Trace& trace, std::string_view bare_zone) const;

  /// "s", "ms", "us" or "ns": the unit by their size of numbers that are no times in the unit given, where no stamp at
  /// all could be read; else empty.
  std::string_view unit_instead() const { return any_read_ ? std::string_view() : unit_instead_; }

  /// The unit of a number of this size, if it is a time between 2001 and 2286.
  static std::optional<Nanos> unit_of_size(std::string_view number);

 private:
  std::optional<Nanos> read_stamp(std::string_view text, std::optional<Nanos> unit);
  std::optional<Nanos> read_number(std::string_view text, Nanos unit);
  std::optional<Nanos> read_text(std::string_view text);

  UtcTimeReader times_;
  StampResolution resolution_;
  bool any_utc_ = false, any_offset_ = false, any_bare_ = false, any_read_ = false;
  std::string_view unit_instead_;
};

}  // namespace loadline
