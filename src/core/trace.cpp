#include "core/trace.h"

#include <array>

namespace loadline {
namespace {
constexpr std::array<std::string_view, 4> sharing_origin_names = {"unknown", "hashed", "sessions", "cached-counts"};
}  // namespace

std::string_view name(SharingOrigin origin) { return sharing_origin_names.at(static_cast<std::size_t>(origin)); }

std::optional<SharingOrigin> sharing_origin_named(std::string_view wanted) {
  for (std::size_t i = 0; i < sharing_origin_names.size(); ++i) {
    if (sharing_origin_names[i] == wanted) return static_cast<SharingOrigin>(i);
  }
  return std::nullopt;
}

}  // namespace loadline
