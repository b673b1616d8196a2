#include "core/error.h"

#include <fmt/format.h>

namespace loadline {

void check(bool holds, std::string_view claim, std::source_location where) {
  if (holds) return;
  throw Bug(fmt::format("{}:{}: does not hold: {}", where.file_name(), where.line(), claim));
}

}  // namespace loadline
