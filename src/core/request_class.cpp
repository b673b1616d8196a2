#include "core/request_class.h"

#include <fmt/format.h>

#include <array>

namespace loadline {

std::string_view name(ClassBy by) {
  constexpr std::array<std::string_view, 4> names = {"prompt", "turn", "session", "client"};
  return names.at(static_cast<std::size_t>(by));
}

std::string class_text(const RequestClass& of) {
  const std::string_view by = name(of.by);
  if (of.by == ClassBy::session || of.by == ClassBy::client) return fmt::format("{}={}", by, of.name);
  if (of.to == RequestClass::no_end) return fmt::format("{}>{}", by, of.from - 1);
  if (of.from == of.to) return fmt::format("{}={}", by, of.from);
  if (of.from == 1) return fmt::format("{}<={}", by, of.to);
  return fmt::format("{}={}..{}", by, of.from, of.to);
}

}  // namespace loadline
