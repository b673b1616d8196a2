// The symbols of the word are a linked list, the possible merges a heap with the lowest rank, then the leftmost, on
// top. A merge makes its two neighbours' candidates stale; they are recognised when they come up, because the pair at
// their place no longer makes what they would make.
#include "tokens/bpe.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "tokens/unsupported.h"
#include "tokens/utf8.h"

namespace loadline {
namespace {

constexpr std::uint64_t pair_of(TokenId left, TokenId right) { return std::uint64_t{left} << 32 | right; }

}  // namespace

bool Bpe::Candidate::operator<(const Candidate& other) const {
  return std::tie(other.merge.rank, other.at) < std::tie(merge.rank, at);
}

Bpe::Bpe(BpeRules rules)
    : ids_(std::move(rules.ids)), fuse_unknown_(rules.fuse_unknown), ignore_merges_(rules.ignore_merges) {
  merges_.reserve(rules.merges.size());
  std::uint32_t rank = 0;
  for (const auto& [left, right] : rules.merges) {
    merges_[pair_of(id_of_part(left), id_of_part(right))] = {rank++, id_of_part(left + right)};
  }
  if (rules.unknown) unknown_ = id_of_part(*rules.unknown);
  if (!rules.byte_fallback) return;
  for (int byte = 0; byte < 256; ++byte) {
    const auto found = ids_.find(fmt::format("<0x{:02X}>", byte));
    byte_ids_.push_back(found == ids_.end() ? std::nullopt : std::optional(found->second));
  }
}

TokenId Bpe::id_of_part(const std::string& token) const {
  const auto found = ids_.find(token);
  if (found == ids_.end()) throw Unsupported(fmt::format("its vocabulary lacks the token \"{}\" of its rules", token));
  return found->second;
}

void Bpe::append_ids(std::string_view word, std::vector<TokenId>& out) {
  if (ignore_merges_) {
    if (const auto whole = ids_.find(word); whole != ids_.end()) return out.push_back(whole->second);
  }
  take_characters(word);
  merge_all();
  for (const Symbol& symbol : symbols_) {
    if (symbol.size > 0) out.push_back(symbol.id);
  }
}

void Bpe::put(TokenId id) {
  const auto at = static_cast<std::ptrdiff_t>(symbols_.size());
  if (at > 0) symbols_.back().next = at;
  symbols_.push_back({.id = id, .previous = at - 1});
}

void Bpe::take_characters(std::string_view word) {
  symbols_.clear();
  bool unknown_waits = false;
  const auto put_unknown = [&] {
    if (unknown_waits) put(*unknown_);
    unknown_waits = false;
  };
  while (!word.empty()) {
    const std::string_view character = word.substr(0, character_size(word.front()));
    word.remove_prefix(character.size());
    if (const auto found = ids_.find(character); found != ids_.end()) {
      put_unknown();
      put(found->second);
    } else if (!take_bytes(character) && unknown_) {
      if (!fuse_unknown_) put_unknown();
      unknown_waits = true;
    }
  }
  put_unknown();
}

bool Bpe::take_bytes(std::string_view character) {
  if (byte_ids_.empty()) return false;
  const auto id_of = [this](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
  if (!std::ranges::all_of(character, [&](char byte) { return id_of(byte).has_value(); })) return false;
  for (const char byte : character) put(*id_of(byte));
  return true;
}

const Bpe::Merge* Bpe::merge_of(TokenId left, TokenId right) const {
  const auto found = merges_.find(pair_of(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

/// The merge of that symbol with the one behind it, where there is one.
void Bpe::propose(std::ptrdiff_t left) {
  if (left < 0 || symbols_[static_cast<std::size_t>(left)].next < 0) return;
  const Symbol& symbol = symbols_[static_cast<std::size_t>(left)];
  const Merge* merge = merge_of(symbol.id, symbols_[static_cast<std::size_t>(symbol.next)].id);
  if (merge == nullptr) return;
  candidates_.push_back({*merge, left});
  std::push_heap(candidates_.begin(), candidates_.end());
}

void Bpe::merge_all() {
  candidates_.clear();
  for (std::size_t i = 0; i + 1 < symbols_.size(); ++i) propose(static_cast<std::ptrdiff_t>(i));
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end());
    const Candidate best = candidates_.back();
    candidates_.pop_back();
    Symbol& left = symbols_[static_cast<std::size_t>(best.at)];
    if (left.size == 0 || left.next < 0) continue;
    Symbol& right = symbols_[static_cast<std::size_t>(left.next)];
    const Merge* merge = merge_of(left.id, right.id);
    if (merge == nullptr || merge->id != best.merge.id) continue;
    left.id = best.merge.id;
    left.size += right.size;
    left.next = right.next;
    right.size = 0;
    if (left.next >= 0) symbols_[static_cast<std::size_t>(left.next)].previous = best.at;
    propose(left.previous);
    propose(best.at);
  }
}

}  // namespace loadline
