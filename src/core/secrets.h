#pragma once
// Keys and header values that must not get out: servers like to repeat them in their errors.

#include <cstddef>
#include <string>
#include <vector>

namespace loadline {

/// Shorter values ("1", "true") are no secrets, and hiding them would garble every text.
inline constexpr std::size_t shortest_secret = 6;

/// `text` with *** in place of each of `secrets`, and of a secret's beginning on which the text was cut off.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace loadline
