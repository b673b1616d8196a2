#include "tokens/added_tokens.h"

#include <algorithm>

#include "tokens/utf8.h"

namespace loadline {

void AddedTokens::add(AddedToken token) {
  if (token.content.empty()) return;
  std::vector<std::size_t>& sizes = sizes_[static_cast<unsigned char>(token.content.front())];
  const auto place = std::ranges::lower_bound(sizes, token.content.size(), std::greater<>());
  if (place == sizes.end() || *place != token.content.size()) sizes.insert(place, token.content.size());
  tokens_[token.content] = std::move(token);
}

const AddedToken* AddedTokens::longest_at(std::string_view text) const {
  for (const std::size_t size : sizes_[static_cast<unsigned char>(text.front())]) {
    if (size > text.size()) continue;
    if (const auto found = tokens_.find(text.substr(0, size)); found != tokens_.end()) return &found->second;
  }
  return nullptr;
}

std::vector<AddedTokens::Part> AddedTokens::parts(std::string_view text) const {
  std::vector<Part> parts;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longest_at(text.substr(at));
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t first = at, end = at + token->content.size();
    at = end;
    if (token->takes_space_before) first = std::max(done, first - trailing_white_space(text.substr(0, first)));
    if (token->takes_space_behind) end += leading_white_space(text.substr(end));
    if (first > done) parts.push_back({{done, first - done}, std::nullopt});
    parts.push_back({{first, end - first}, token->id});
    done = end;
    at = std::max(at, end);
  }
  if (done < text.size()) parts.push_back({{done, text.size() - done}, std::nullopt});
  return parts;
}

}  // namespace loadline
