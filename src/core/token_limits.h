#pragma once
// Counts of tokens beyond belief: one limit for what a server may tell, one for what a run file may hold.

#include <cstdint>

namespace loadline {

/// Of one request. A server that counts more does not count: the number is unknown, like one that it did not tell.
inline constexpr std::int64_t most_tokens_told = 1'000'000'000;
/// Of one request in a run file. Above whatever is told and whatever a scaled log plans.
inline constexpr std::int64_t most_tokens_stored = 1'000'000'000'000;
static_assert(most_tokens_told <= most_tokens_stored);

}  // namespace loadline
