#pragma once
// An engine's own POST /tokenize.

#include <cstdint>
#include <optional>
#include <string>

#include "target/dialect.h"
#include "target/target.h"

namespace loadline {

/// How many tokens the first server of `target` says that `text` is, its own special tokens counted in or not; absent
/// where the dialect knows no such route or the server does not tell a number above 0. Knows nothing of chat templates.
std::optional<std::int64_t> told_by_tokenize(const Target& target, const Dialect& dialect, const std::string& text,
                                             Nanos timeout);

}  // namespace loadline
