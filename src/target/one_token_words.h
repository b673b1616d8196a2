#pragma once
// Which of the common words are one token each for a target. Pure: somebody else counts.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// How many tokens a text is, with or without a constant for what surrounds it; absent where that is not told.
using TokenCounter = std::function<std::optional<std::int64_t>(const std::string& text)>;

/// When a search ends before every word is decided.
struct WordSearchLimits {
  std::size_t enough = 64;  ///< words proven
  int counts = 22;          ///< texts counted, at most
};

struct OneTokenWords {
  std::optional<std::int64_t> opening;  ///< the count of the opening word by itself; absent: nothing was counted
  std::vector<std::uint32_t> words;     ///< indices into common_words(), ascending
};

/// The words that are one token each with a blank before them: a text of the opening word and n of them counts n
/// tokens more than the opening word by itself, whatever that is. Ends at a text that is not counted.
OneTokenWords find_one_token_words(const TokenCounter& count, const WordSearchLimits& limits);

}  // namespace loadline
