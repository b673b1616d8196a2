#pragma once

#include <string>

namespace loadline {

/// The model name of this machine's processor; "unknown" where the system does not tell.
std::string cpu_name();

}  // namespace loadline
