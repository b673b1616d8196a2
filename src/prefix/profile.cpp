#include "prefix/profile.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/error.h"
#include "prefix/block_index.h"
#include "prefix/reuse_order.h"

namespace loadline {
namespace {

/// In hundredths of the unique blocks, so that the floor is exact.
constexpr std::array<std::uint64_t, 5> lru_percents{1, 5, 10, 25, 50};

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Sums over requests that every kind of sharing has.
struct HitSums {
  double hit_tokens = 0, prompt_tokens = 0, hit_rates = 0, requests = 0, with_hit = 0;

  void add(std::int64_t hit, std::int64_t prompt) {
    hit_tokens += static_cast<double>(hit);
    prompt_tokens += static_cast<double>(prompt);
    hit_rates += static_cast<double>(hit) / static_cast<double>(prompt);
    requests += 1;
    if (hit > 0) with_hit += 1;
  }
  void put_into(PrefixProfile& result) const {
    result.token_hit_rate = share(hit_tokens, prompt_tokens);
    result.request_hit_rate_mean = share(hit_rates, requests);
    result.requests_with_hit = share(with_hit, requests);
  }
};

/// The ids of the trace as small numbers, and what came first.
struct NumberedBlocks {
  std::vector<std::uint32_t> numbers;        ///< of all rows, one row after another, rows in order
  std::vector<std::uint32_t> leading_known;  ///< by row: leading blocks that earlier rows have shown
  std::uint64_t unique = 0, roots = 0;
};

NumberedBlocks number_blocks(const Trace& trace) {
  NumberedBlocks result;
  result.numbers.reserve(trace.blocks.size());
  result.leading_known.reserve(trace.rows.size());
  BlockIndex index(trace.blocks.size() / 2), roots;
  for (const TraceRow& row : trace.rows) {
    check(row.first_block + row.block_count <= trace.blocks.size(), "a row's blocks lie inside the trace");
    // Numbers are given in order of first sight: what was known before this row has a smaller one.
    const std::uint32_t known_before = index.size();
    std::uint32_t leading = 0;
    for (std::uint32_t i = 0; i < row.block_count; ++i) {
      const std::uint32_t number = index.number_of(trace.blocks[row.first_block + i]).number;
      if (leading == i && number < known_before) ++leading;
      result.numbers.push_back(number);
    }
    if (row.block_count > 0) roots.number_of(trace.blocks[row.first_block]);
    result.leading_known.push_back(leading);
  }
  result.unique = index.size();
  result.roots = roots.size();
  return result;
}

std::int64_t tokens_of_blocks(std::uint64_t blocks, std::uint32_t block_size, std::int64_t prompt) {
  return std::min(static_cast<std::int64_t>(blocks * block_size), prompt);
}

void fill_unbounded(const Trace& trace, const NumberedBlocks& blocks, PrefixProfile& result) {
  HitSums sums;
  double full_tokens = 0, beyond_tokens = 0, two_blocks = 0;
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    const std::int64_t prompt = trace.rows[i].prompt.value();
    const std::uint64_t leading = blocks.leading_known[i];
    const std::int64_t hit = tokens_of_blocks(leading, trace.block_size, prompt);
    sums.add(hit, prompt);
    full_tokens += static_cast<double>(std::min(hit, prompt / trace.block_size * trace.block_size));
    if (leading > 0) beyond_tokens += static_cast<double>(hit - tokens_of_blocks(1, trace.block_size, prompt));
    if (leading >= 2) two_blocks += 1;
  }
  sums.put_into(result);
  result.token_hit_rate_full_blocks = share(full_tokens, sums.prompt_tokens);
  result.token_hit_rate_beyond_first_block = share(beyond_tokens, sums.prompt_tokens);
  result.requests_with_two_blocks = share(two_blocks, sums.requests);
}

/// One pass serves all capacities: a leading run fits in a cache when the highest rank inside it does.
std::array<double, lru_percents.size()> lru_hit_tokens(const Trace& trace, const NumberedBlocks& blocks,
                                                       std::span<const std::uint64_t> capacities) {
  std::array<double, lru_percents.size()> hit_tokens{};
  ReuseOrder order(static_cast<std::uint32_t>(blocks.unique), blocks.numbers.size());
  std::span<const std::uint32_t> rest(blocks.numbers);
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    const TraceRow& row = trace.rows[i];
    const std::span<const std::uint32_t> ids = rest.first(row.block_count);
    rest = rest.subspan(row.block_count);
    std::array<std::uint64_t, lru_percents.size()> leading{};
    std::uint64_t highest = 0;
    for (std::uint32_t k = 0; k < blocks.leading_known[i] && highest <= capacities.back(); ++k) {
      highest = std::max(highest, order.rank(ids[k]));
      for (std::size_t c = 0; c < capacities.size(); ++c) leading[c] += highest <= capacities[c] ? 1 : 0;
    }
    for (std::size_t c = 0; c < capacities.size(); ++c) {
      hit_tokens[c] += static_cast<double>(tokens_of_blocks(leading[c], trace.block_size, row.prompt.value()));
    }
    for (const std::uint32_t id : ids) order.use(id);
  }
  return hit_tokens;
}

void fill_lru(const Trace& trace, const NumberedBlocks& blocks, PrefixProfile& result) {
  std::array<std::uint64_t, lru_percents.size()> capacities{};
  for (std::size_t c = 0; c < capacities.size(); ++c) capacities[c] = lru_percents[c] * blocks.unique / 100;
  const auto hit_tokens = lru_hit_tokens(trace, blocks, capacities);
  double prompt_tokens = 0;
  for (const TraceRow& row : trace.rows) prompt_tokens += static_cast<double>(row.prompt.value());
  for (std::size_t c = 0; c < capacities.size(); ++c) {
    result.lru.push_back(
        {static_cast<double>(lru_percents[c]) / 100, capacities[c], share(hit_tokens[c], prompt_tokens)});
  }
}

void profile_hashed(const Trace& trace, PrefixProfile& result) {
  check(trace.block_size > 0, "a hashed trace has a block size");
  const NumberedBlocks blocks = number_blocks(trace);
  result.block_size = trace.block_size;
  result.blocks = blocks.numbers.size();
  result.unique_blocks = blocks.unique;
  result.roots = blocks.roots;
  fill_unbounded(trace, blocks, result);
  fill_lru(trace, blocks, result);
}

void profile_cached_counts(const Trace& trace, PrefixProfile& result) {
  HitSums sums;
  for (const TraceRow& row : trace.rows) {
    if (row.cached) sums.add(std::min(*row.cached, row.prompt).value(), row.prompt.value());
  }
  sums.put_into(result);
}

void profile_sessions(const Trace& trace, PrefixProfile& result) {
  HitSums sums;
  std::vector<std::int64_t> prompt_before(trace.sessions.size(), 0);
  for (const TraceRow& row : trace.rows) {
    const std::int64_t prompt = row.prompt.value();
    std::int64_t hit = 0;
    if (row.session != no_session) {
      if (row.session >= prompt_before.size()) prompt_before.resize(row.session + 1, 0);
      std::int64_t& before = prompt_before[row.session];
      if (prompt >= before) hit = before;
      before = prompt;
    }
    sums.add(hit, prompt);
  }
  sums.put_into(result);
}

}  // namespace

PrefixProfile profile(const Trace& trace) {
  PrefixProfile result;
  result.origin = trace.sharing;
  if (trace.sharing == SharingOrigin::hashed) profile_hashed(trace, result);
  if (trace.sharing == SharingOrigin::cached_counts) profile_cached_counts(trace, result);
  if (trace.sharing == SharingOrigin::sessions) profile_sessions(trace, result);
  return result;
}

}  // namespace loadline
