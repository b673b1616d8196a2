#pragma once
// Options that a command cannot use are refused: silence would let a user believe in them.

#include <string_view>
#include <vector>

#include "app/run_spec.h"

namespace loadline {

/// Error naming the first option of `groups` (headings of --help) that is not at its default, and `why`. Facts may
/// always be stated, and a key from the environment is no option.
void refuse_options(const RunSpec& spec, const std::vector<std::string_view>& groups, std::string_view why);

}  // namespace loadline
