#pragma once
// Byte pair encoding of one word (Sennrich, Haddow, Birch 2016): its characters, joined by rank until no merge applies.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loadline {

using TokenId = std::uint32_t;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// Token -> id.
using TokenIds = std::unordered_map<std::string, TokenId, TextHash, std::equal_to<>>;

/// As a tokenizer's file says them.
struct BpeRules {
  TokenIds ids;
  std::vector<std::pair<std::string, std::string>> merges;  ///< in order of rank; both and their join are in `ids`
  std::optional<std::string> unknown;  ///< stands for a character that has no id; without it such a one is left out
  bool fuse_unknown = false;           ///< one for a row of them
  bool byte_fallback = false;          ///< before `unknown`: the character's bytes, by the tokens <0x00> to <0xFF>
  bool ignore_merges = false;          ///< a word that is a token is that token, whatever merges say
};

/// One thread at a time.
class Bpe {
 public:
  /// Throws Unsupported where a merge or the unknown token is not in the vocabulary.
  explicit Bpe(BpeRules rules);
  /// Appends the ids of `word`, valid UTF-8. In O(n log n) of its characters.
  void append_ids(std::string_view word, std::vector<TokenId>& out);

 private:
  struct Merge {
    std::uint32_t rank = 0;
    TokenId id = 0;
  };
  /// A token of the word as it stands; `size` 0: it was merged into the one before.
  struct Symbol {
    TokenId id = 0;
    std::size_t size = 1;
    std::ptrdiff_t previous = -1, next = -1;
  };
  /// A merge that was possible when it was found.
  struct Candidate {
    Merge merge;
    std::ptrdiff_t at = 0;  ///< left symbol
    bool operator<(const Candidate& other) const;
  };

  TokenId id_of_part(const std::string& token) const;
  void take_characters(std::string_view word);
  bool take_bytes(std::string_view character);
  void put(TokenId id);
  void merge_all();
  void propose(std::ptrdiff_t left);
  const Merge* merge_of(TokenId left, TokenId right) const;

  TokenIds ids_;
  std::unordered_map<std::uint64_t, Merge> merges_;  ///< by both ids
  std::vector<std::optional<TokenId>> byte_ids_;     ///< without fallback empty
  std::optional<TokenId> unknown_;
  bool fuse_unknown_, ignore_merges_;
  std::vector<Symbol> symbols_;
  std::vector<Candidate> candidates_;  ///< a heap
};

}  // namespace loadline
