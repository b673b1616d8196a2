#include "trace/stamp_reader.h"

#include <algorithm>
#include <string>

#include "trace/numbers.h"

namespace loadline {
namespace {

constexpr std::size_t zoneless_size = 19;                         // YYYY-MM-DD HH:MM:SS
constexpr Nanos first_date{std::chrono::seconds(1'000'000'000)};  // September 2001

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
         text.find('-', 1) == std::string_view::npos;
}

/// Where the zone begins: behind the seconds and their fraction.
std::string_view zone_part(std::string_view text) {
  if (text.size() <= zoneless_size) return {};
  const std::size_t at = text.find_first_not_of("0123456789.", zoneless_size);
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

std::string_view unit_name(std::optional<Nanos> unit) {
  if (unit == Nanos(std::chrono::seconds(1))) return "s";
  if (unit == Nanos(std::chrono::milliseconds(1))) return "ms";
  if (unit == Nanos(std::chrono::microseconds(1))) return "us";
  return unit == Nanos(1) ? "ns" : "";
}

/// The zone in the words of UtcTimeReader.
std::string plain_zone(std::string_view zone) {
  if (zone == " UTC" || zone == "UTC" || zone == " Z") return "Z";
  if (zone.size() == 3 && (zone[0] == '+' || zone[0] == '-')) return std::string(zone) + ":00";
  return std::string(zone);
}

}  // namespace

std::optional<Nanos> StampReader::unit_of_size(std::string_view number) {
  switch (std::min(number.find('.'), number.size())) {
    case 10:
      return std::chrono::seconds(1);
    case 13:
      return std::chrono::milliseconds(1);
    case 16:
      return std::chrono::microseconds(1);
    case 19:
      return Nanos(1);
    default:
      return std::nullopt;
  }
}

std::optional<Nanos> StampReader::read_number(std::string_view text, Nanos unit) {
  const ParsedSpan span = parse_span(text, unit);
  if (!span.ok()) return std::nullopt;
  resolution_.note(unit, span.decimals);
  any_utc_ = any_utc_ || span.value >= first_date;
  return span.value;
}

std::optional<Nanos> StampReader::read_text(std::string_view text) {
  const std::string_view zone = zone_part(text);
  const std::string plain = plain_zone(zone);
  const bool as_written = plain == zone;
  const std::optional<UtcTime> time =
      as_written ? times_.read(text) : times_.read(std::string(text.substr(0, text.size() - zone.size())) + plain);
  if (!time) return std::nullopt;
  resolution_.note_text(time->fraction_digits);
  const bool utc = plain == "Z" || plain == "z" || plain == "+00:00" || plain == "+0000";
  any_bare_ = any_bare_ || plain.empty();
  any_utc_ = any_utc_ || utc;
  any_offset_ = any_offset_ || (!plain.empty() && !utc);
  return time->since_epoch;
}

std::optional<Nanos> StampReader::read_stamp(std::string_view text, std::optional<Nanos> unit) {
  if (!is_number(text)) return read_text(text);
  if (!unit) unit = unit_of_size(text);
  return unit ? read_number(text, *unit) : std::nullopt;
}

std::optional<Nanos> StampReader::read(std::string_view text, std::optional<Nanos> unit) {
  text = trimmed(text);
  const std::optional<Nanos> time = read_stamp(text, unit);
  any_read_ = any_read_ || time;
  if (!time && unit && is_number(text)) unit_instead_ = unit_name(unit_of_size(text));
  return time;
}

void StampReader::settle(Trace& trace, std::string_view bare_zone) const {
  trace.time_resolution_ms = resolution_.step_ms();
  if (any_utc_) trace.time_zone = "UTC";
  if (any_bare_) trace.time_zone = bare_zone;
  if (any_offset_) trace.time_zone = "offset";
}

}  // namespace loadline
