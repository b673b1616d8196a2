#pragma once
// Reasons to distrust a result, by name.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// `id` is one of the names listed in docs/reference/doubts.md.
struct Doubt {
  std::string id;
  std::optional<std::uint32_t> level;  ///< ordinal; absent: the whole run
  bool invalidates = false;
  std::string text;  ///< one sentence with the numbers
};

/// A doubt of that id, invalidating where the id is of that kind (client_limited, load_not_delivered,
/// server_changed, clock_jumped, books, failures). Unknown ids are a bug.
Doubt make_doubt(std::string_view id, std::optional<std::uint32_t> level, std::string text);

}  // namespace loadline
