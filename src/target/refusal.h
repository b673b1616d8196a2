#pragma once
// How a target is refused: one sentence, without the user's secrets, which servers repeat in their errors.

#include <string>

#include "core/error.h"
#include "target/credentials.h"
#include "target/fetch.h"

namespace loadline {

[[noreturn]] void refuse_target(const Credentials& credentials, std::string sentence,
                                ExitStatus status = ExitStatus::unusable_target);
/// For 401 and 403: names --api-key.
[[noreturn]] void refuse_unauthorized(const Credentials& credentials, const Server& server, unsigned http_status);

}  // namespace loadline
