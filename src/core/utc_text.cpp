#include "core/utc_text.h"

#include <fmt/format.h>

#include <chrono>

namespace loadline {

std::string utc_text(Nanos since_epoch) {
  const auto second = std::chrono::floor<std::chrono::seconds>(since_epoch);
  const auto day = std::chrono::floor<std::chrono::days>(second);
  const std::chrono::year_month_day date{std::chrono::sys_days(day)};
  const std::chrono::hh_mm_ss time(second - day);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                 time.hours().count(), time.minutes().count(), time.seconds().count());
  if (const std::int64_t fraction = (since_epoch - second).count(); fraction > 0) {
    text += fmt::format(".{:09}", fraction);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + 'Z';
}

}  // namespace loadline
