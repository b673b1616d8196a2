#pragma once
// Text as JSON writes it.

#include <string>
#include <string_view>

namespace loadline {

/// A JSON string, quoted. Bytes that are no UTF-8 (a file's name may be anything) become question marks.
std::string json_string(std::string_view text);

}  // namespace loadline
