#pragma once
// How late and busy the client was at a level, as the text under the run key level/ORDINAL/client.

#include <string>
#include <string_view>

#include "core/record.h"

namespace loadline {

/// One JSON object; absent figures are null.
std::string write_client(const ClientSelf& client);
/// Throws Error where `text` is not what write_client makes.
ClientSelf read_client(std::string_view text);

}  // namespace loadline
