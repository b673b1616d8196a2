#pragma once
// What stands behind `where` in an objective -> a class of requests.

#include <string_view>

#include "core/request_class.h"

namespace loadline {

/// "prompt<=2000", "prompt>8000", "prompt=2000..8000" (both ends belong to it), "turn=1", "turn>1", "session=NAME",
/// "client=NAME". Not yet resolved. `where` begins the sentence of an Error.
RequestClass parse_request_class(std::string_view text, std::string_view where);

}  // namespace loadline
