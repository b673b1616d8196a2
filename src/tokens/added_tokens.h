#pragma once
// Tokens that are found in a text before anything else is done with it, such as the marks of a chat template.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokens/bpe.h"
#include "tokens/regex.h"

namespace loadline {

struct AddedToken {
  std::string content;
  TokenId id = 0;
  bool takes_space_before = false, takes_space_behind = false;
};

class AddedTokens {
 public:
  /// Of two with one content the last stands; an empty one is left out.
  void add(AddedToken token);

  /// A part of a text: an added token, or what lies between two.
  struct Part {
    TextRange range;
    std::optional<TokenId> id;
  };
  /// The parts of `text` in order: the leftmost token first, of those that begin at one place the longest.
  std::vector<Part> parts(std::string_view text) const;

 private:
  const AddedToken* longest_at(std::string_view text) const;

  std::unordered_map<std::string, AddedToken, TextHash, std::equal_to<>> tokens_;
  std::array<std::vector<std::size_t>, 256> sizes_;  ///< by first byte: the sizes that occur, the longest first
};

}  // namespace loadline
