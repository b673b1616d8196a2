// Group testing by sums. A counter tells the tokens of a whole text, so a group of words is one token each where its
// count is the number of its words, and all of it is proven at once. A group that is off is cut into halves: the left
// one is counted, the right one follows. The group with the fewest tokens too many for its size is cut first, and
// short words come first, since vocabularies hold most of them whole.

#include "target/one_token_words.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "target/words.h"

namespace loadline {
namespace {

constexpr std::size_t group_words = 64;

struct WordGroup {
  std::span<const std::uint32_t> words;
  std::int64_t excess = 0;  ///< tokens beyond one a word
};

/// Fewer tokens too many, for its size.
bool is_cleaner(const WordGroup& a, const WordGroup& b) {
  return a.excess * static_cast<std::int64_t>(b.words.size()) < b.excess * static_cast<std::int64_t>(a.words.size());
}

std::vector<std::uint32_t> shortest_first() {
  std::vector<std::uint32_t> order(common_words().size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [](std::uint32_t index) { return common_words()[index].size(); });
  return order;
}

class WordSearch {
 public:
  WordSearch(const TokenCounter& count, const WordSearchLimits& limits)
      : count_(count), limits_(limits), candidates_(shortest_first()) {}

  OneTokenWords run() {
    found_.opening = counted({});
    if (found_.opening) count_groups();
    while (goes_on() && !suspects_.empty()) cut_cleanest();
    std::ranges::sort(found_.words);
    return std::move(found_);
  }

 private:
  bool goes_on() const { return !stopped_ && found_.words.size() < limits_.enough; }

  void count_groups() {
    std::span<const std::uint32_t> left = candidates_;
    while (goes_on() && !left.empty()) {
      const auto group = left.first(std::min(group_words, left.size()));
      left = left.subspan(group.size());
      if (const auto excess = excess_of(group)) judge({group, *excess});
    }
  }

  void cut_cleanest() {
    const auto at = std::ranges::min_element(suspects_, is_cleaner);
    const WordGroup whole = *at;
    suspects_.erase(at);
    const std::size_t half = whole.words.size() / 2;
    const auto left = excess_of(whole.words.first(half));
    if (!left) return;
    judge({whole.words.first(half), *left});
    judge({whole.words.subspan(half), whole.excess - *left});
  }

  void judge(const WordGroup& group) {
    const auto size = static_cast<std::int64_t>(group.words.size());
    if (group.excess == 0) found_.words.insert(found_.words.end(), group.words.begin(), group.words.end());
    // Nothing is to be won where every word has a token too many on average, or where words melt into one token.
    if (group.excess > 0 && group.excess < size) suspects_.push_back(group);
  }

  std::optional<std::int64_t> excess_of(std::span<const std::uint32_t> words) {
    const std::optional<std::int64_t> tokens = counted(words);
    if (!tokens) return std::nullopt;
    return *tokens - *found_.opening - static_cast<std::int64_t>(words.size());
  }

  std::optional<std::int64_t> counted(std::span<const std::uint32_t> words) {
    stopped_ = stopped_ || counts_ == limits_.counts;
    if (stopped_) return std::nullopt;
    ++counts_;
    std::vector<std::uint32_t> all{opening_word};
    all.insert(all.end(), words.begin(), words.end());
    std::string text;
    append_words(all, text);
    const std::optional<std::int64_t> tokens = count_(text);
    stopped_ = !tokens;
    return tokens;
  }

  const TokenCounter& count_;
  WordSearchLimits limits_;
  std::vector<std::uint32_t> candidates_;
  std::vector<WordGroup> suspects_;
  OneTokenWords found_;
  int counts_ = 0;
  bool stopped_ = false;
};

}  // namespace

OneTokenWords find_one_token_words(const TokenCounter& count, const WordSearchLimits& limits) {
  return WordSearch(count, limits).run();
}

}  // namespace loadline
