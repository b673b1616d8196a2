#include "trace/joint_lengths.h"

#include <algorithm>
#include <cmath>

#include "trace/length_counts.h"

namespace loadline {
namespace {

/// Sums of products of lengths or ranks: up to 2^34 twice in a product, over up to 2^40 rows.
__extension__ using WideInteger = __int128;

double real(WideInteger value) { return static_cast<double>(value); }

std::optional<double> correlation(WideInteger xx, WideInteger yy, WideInteger xy) {
  if (xx <= 0 || yy <= 0) return std::nullopt;
  return real(xy) / std::sqrt(real(xx) * real(yy));
}

/// visit(prompt, completion, count) for the rows of which both are known.
template <class Visit>
void for_each_known(const KeyCounts& pairs, Visit visit) {
  pairs.for_each([&](std::uint64_t pair, std::uint64_t count) {
    if (first_of(pair) > 0 && second_of(pair) > 0) visit(first_of(pair), second_of(pair), count);
  });
}

/// What one walk over the pairs gathers; the table is large, so walks are few.
struct LengthSums {
  LengthCounts prompts, completions;              ///< of all rows that have the length
  LengthCounts known_prompts, known_completions;  ///< of the rows that have both
  WideInteger n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

  explicit LengthSums(const KeyCounts& pairs) {
    pairs.for_each([&](std::uint64_t pair, std::uint64_t count) { add(first_of(pair), second_of(pair), count); });
  }
  void add(std::uint64_t prompt, std::uint64_t completion, std::uint64_t count) {
    if (prompt > 0) prompts.add(prompt, count);
    if (completion > 0) completions.add(completion, count);
    if (prompt == 0 || completion == 0) return;
    known_prompts.add(prompt, count);
    known_completions.add(completion, count);
    n += count;
    x += count * prompt;
    y += count * completion;
    xx += WideInteger{count} * (prompt * prompt);
    yy += WideInteger{count} * (completion * completion);
    xy += WideInteger{count} * (prompt * completion);
  }
  std::optional<double> pearson() const { return correlation(n * xx - x * x, n * yy - y * y, n * xy - x * y); }
};

/// Pearson's correlation of the mean ranks, which are centred so that no means have to be taken off.
std::optional<double> spearman(const KeyCounts& pairs, const LengthSums& sums) {
  const std::vector<std::int64_t> prompt_ranks = sums.known_prompts.centred_double_ranks();
  const std::vector<std::int64_t> completion_ranks = sums.known_completions.centred_double_ranks();
  WideInteger xx = 0, yy = 0, xy = 0;
  for_each_known(pairs, [&](std::uint64_t prompt, std::uint64_t completion, WideInteger count) {
    const WideInteger x = prompt_ranks[prompt], y = completion_ranks[completion];
    xx += count * x * x;
    yy += count * y * y;
    xy += count * x * y;
  });
  return correlation(xx, yy, xy);
}

/// The completions of one bin in ascending order, with their counts.
using BinEntries = std::span<const KeyCounts::Entry>;

std::int64_t nearest_rank(BinEntries completions, std::uint64_t rows, std::uint64_t percent) {
  std::uint64_t up_to = 0;
  for (const KeyCounts::Entry& entry : completions) {
    up_to += entry.count;
    if (100 * up_to >= percent * rows) return static_cast<std::int64_t>(second_of(entry.key));
  }
  return 0;
}

CompletionByPrompt summarise_bin(BinEntries completions, std::int64_t from, std::int64_t to) {
  CompletionByPrompt bin{from, to, 0, 0, 0};
  for (const KeyCounts::Entry& entry : completions) bin.n += entry.count;
  bin.p50 = nearest_rank(completions, bin.n, 50);
  bin.p90 = nearest_rank(completions, bin.n, 90);
  return bin;
}

std::vector<CompletionByPrompt> bin_completions(const KeyCounts& pairs, const LengthSummary& prompt) {
  std::vector<std::int64_t> edges{prompt.min - 1, prompt.p10, prompt.p25, prompt.p50, prompt.p75,
                                  prompt.p90,     prompt.p95, prompt.p99, prompt.max};
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  KeyCounts by_bin;  // of pair_key(bin, completion); bin i holds edges[i] < prompt <= edges[i + 1]
  for_each_known(pairs, [&](std::uint64_t length, std::uint64_t completion, std::uint64_t count) {
    const auto upper = std::lower_bound(edges.begin() + 1, edges.end(), static_cast<std::int64_t>(length));
    by_bin.add(pair_key(static_cast<std::uint64_t>(upper - edges.begin()) - 1, completion), count);
  });
  const std::vector<KeyCounts::Entry> entries = by_bin.sorted();
  std::vector<CompletionByPrompt> table;
  for (auto from = entries.begin(); from != entries.end();) {
    const std::uint64_t bin = first_of(from->key);
    const auto to = std::find_if(from, entries.end(), [&](const auto& entry) { return first_of(entry.key) != bin; });
    table.push_back(summarise_bin({from, to}, edges[bin], edges[bin + 1]));
    from = to;
  }
  return table;
}

}  // namespace

void describe_lengths(const KeyCounts& pairs, TraceStats& stats) {
  const LengthSums sums(pairs);
  stats.prompt_tokens = sums.prompts.summary();
  stats.completion_tokens = sums.completions.summary();
  stats.pearson = sums.pearson();
  stats.spearman = spearman(pairs, sums);
  if (stats.prompt_tokens.n > 0) stats.completion_by_prompt = bin_completions(pairs, stats.prompt_tokens);
}

}  // namespace loadline
