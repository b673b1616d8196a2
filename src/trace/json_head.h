#pragma once
// What the first bytes of a JSON log say about its keys, without parsing: the last object may be cut off.

#include <string_view>

namespace loadline {

/// Whether `object`, text that begins with '{', has the key at its top level, as far as it goes.
bool has_top_level_key(std::string_view object, std::string_view key);

}  // namespace loadline
