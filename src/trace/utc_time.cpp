#include "trace/utc_time.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

namespace loadline {
namespace {

/// By the number of fraction digits.
constexpr std::array<std::int64_t, 10> nanoseconds_of_last_digit{
    1'000'000'000, 100'000'000, 10'000'000, 1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};

/// The two-digit number at `at`, or -1.
int two_digits(std::string_view text, std::size_t at) {
  const unsigned tens = static_cast<unsigned char>(text[at]) - unsigned{'0'};
  const unsigned ones = static_cast<unsigned char>(text[at + 1]) - unsigned{'0'};
  return tens > 9 || ones > 9 ? -1 : static_cast<int>(tens * 10 + ones);
}

/// Seconds after midnight of "HH:MM:SS", or -1.
std::int64_t time_of_day(std::string_view text) {
  const int hour = two_digits(text, 0), minute = two_digits(text, 3), second = two_digits(text, 6);
  const bool holds = text[2] == ':' && text[5] == ':' && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 &&
                     second >= 0 && second < 60;
  return holds ? hour * 3600 + minute * 60 + second : -1;
}

/// Seconds east of UTC of "", "Z", "+HH:MM", "+HHMM" or "-HH:MM".
std::optional<std::int64_t> zone_offset(std::string_view zone) {
  if (zone.empty() || zone == "Z" || zone == "z" || zone == "+00:00") return 0;
  if ((zone.front() != '+' && zone.front() != '-') || (zone.size() != 5 && zone.size() != 6)) return std::nullopt;
  if (zone.size() == 6 && zone[3] != ':') return std::nullopt;
  const int hour = two_digits(zone, 1), minute = two_digits(zone, zone.size() - 2);
  if (hour < 0 || hour > 15 || minute < 0 || minute > 59) return std::nullopt;
  const std::int64_t seconds = hour * 3600 + minute * 60;
  return zone.front() == '-' ? -seconds : seconds;
}

}  // namespace

std::int64_t UtcTimeReader::midnight(std::string_view date) {
  if (last_midnight_ >= 0 && std::memcmp(date.data(), last_date_, sizeof last_date_) == 0) return last_midnight_;
  const int century = two_digits(date, 0), year = two_digits(date, 2), month = two_digits(date, 5),
            day = two_digits(date, 8);
  if (date[4] != '-' || date[7] != '-' || century < 0 || year < 0 || month < 0 || day < 0) return -1;
  const std::chrono::year_month_day calendar(std::chrono::year(century * 100 + year),
                                             std::chrono::month(static_cast<unsigned>(month)),
                                             std::chrono::day(static_cast<unsigned>(day)));
  // Nanoseconds since 1970 in 64 bits end in 2262.
  const bool in_range = calendar.year() >= std::chrono::year(1970) && calendar.year() <= std::chrono::year(2200);
  if (!calendar.ok() || !in_range) return -1;
  std::memcpy(last_date_, date.data(), sizeof last_date_);
  last_midnight_ = std::int64_t{86400} * std::chrono::sys_days(calendar).time_since_epoch().count();
  return last_midnight_;
}

std::optional<UtcTime> UtcTimeReader::read(std::string_view text) {
  constexpr std::size_t whole_second = 19;  // YYYY-MM-DD HH:MM:SS
  if (text.size() < whole_second || (text[10] != ' ' && text[10] != 'T')) return std::nullopt;
  const std::int64_t day = midnight(text), second = time_of_day(text.substr(11));
  if (day < 0 || second < 0) return std::nullopt;
  UtcTime time;
  std::int64_t fraction = 0;
  std::size_t at = whole_second;
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      if (time.fraction_digits < 9) fraction = fraction * 10 + (text[at] - '0');  // the rest is below a nanosecond
      ++time.fraction_digits;
    }
    if (time.fraction_digits == 0) return std::nullopt;
    time.fraction_digits = std::min(time.fraction_digits, 9);
    fraction *= nanoseconds_of_last_digit[static_cast<std::size_t>(time.fraction_digits)];
  }
  const std::optional<std::int64_t> offset = zone_offset(text.substr(at));
  if (!offset) return std::nullopt;
  time.since_epoch = Nanos((day + second - *offset) * 1'000'000'000 + fraction);
  return time;
}

}  // namespace loadline
