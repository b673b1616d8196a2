#include "prefix/hashed_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "prefix/block_hits.h"

namespace loadline {
namespace {

/// In hundredths of the unique blocks, so that the floor is exact.
constexpr std::array<std::uint64_t, lru_points> lru_percents{1, 5, 10, 25, 50};
constexpr std::uint8_t group_count = 8;

using Capacities = std::array<std::uint64_t, lru_points>;

Capacities capacities_of(std::uint64_t unique_blocks) {
  Capacities capacities{};
  for (std::size_t c = 0; c < lru_points; ++c) capacities[c] = lru_percents[c] * unique_blocks / 100;
  return capacities;
}

/// What is offered less the misses, of which `share` were seen, over the whole.
double hit_rate(double offered, double missed, double share, double whole) {
  return whole > 0 ? std::clamp((offered - missed / share) / whole, 0.0, 1.0) : 0;
}

void put_rates(const OfferedPrompts& offered, const BlockMisses& misses, double share, const Capacities& capacities,
               PrefixProfile& result) {
  const BlockAmounts &of = offered.in_blocks, &missed = misses.unbounded;
  const auto rate = [&](std::uint64_t all, std::uint64_t gone, std::uint64_t whole) {
    return hit_rate(static_cast<double>(all), static_cast<double>(gone), share, static_cast<double>(whole));
  };
  const std::uint64_t tokens = offered.prompt_tokens, requests = offered.requests;
  result.token_hit_rate = rate(of.tokens, missed.tokens, tokens);
  result.token_hit_rate_full_blocks = rate(of.full_block_tokens, missed.full_block_tokens, tokens);
  result.token_hit_rate_beyond_first_block = rate(of.beyond_first_tokens, missed.beyond_first_tokens, tokens);
  result.request_hit_rate_mean = hit_rate(of.prompt_shares, missed.prompt_shares, share, static_cast<double>(requests));
  result.requests_with_hit = rate(of.first_blocks, missed.first_blocks, requests);
  result.requests_with_two_blocks = rate(of.second_blocks, missed.second_blocks, requests);
  for (std::size_t c = 0; c < lru_points; ++c) {
    result.lru.push_back(
        {static_cast<double>(lru_percents[c]) / 100, capacities[c], rate(of.tokens, misses.lru_tokens[c], tokens)});
  }
}

std::vector<double> unbounded_rates(const PrefixProfile& profile) {
  return {profile.token_hit_rate,        profile.token_hit_rate_full_blocks, profile.token_hit_rate_beyond_first_block,
          profile.request_hit_rate_mean, profile.requests_with_hit,          profile.requests_with_two_blocks};
}

std::vector<double> lru_rates(const PrefixProfile& profile) {
  std::vector<double> rates;
  for (const PrefixProfile::LruPoint& point : profile.lru) rates.push_back(point.token_hit_rate);
  return rates;
}

/// Of the mean of the groups' rates, the largest of all rates. The groups are drawn without replacement, so there is no
/// error where they are all there is.
template <class Rates>
double largest_standard_error(const std::vector<PrefixProfile>& groups, double share, Rates rates) {
  const double n = static_cast<double>(groups.size());
  double largest = 0;
  for (std::size_t i = 0; i < rates(groups.front()).size(); ++i) {
    double sum = 0, squares = 0;
    for (const PrefixProfile& group : groups) sum += rates(group)[i];
    for (const PrefixProfile& group : groups) squares += std::pow(rates(group)[i] - sum / n, 2);
    largest = std::max(largest, std::sqrt(squares / (n - 1) / n * (1 - share)));
  }
  return largest;
}

/// Each group is a sample of its own, an eighth of all, walked alone: so its ranks err as much as its misses do.
void put_errors(const OfferedPrompts& offered, const BlockLog& blocks, const Capacities& capacities,
                PrefixProfile& result) {
  const std::vector<std::uint8_t> group_of_block = blocks.groups();
  std::vector<PrefixProfile> groups(group_count);
  for (std::uint8_t group = 0; group < group_count; ++group) {
    const BlockMisses misses = walk_blocks(blocks, result.block_size, capacities, {group_of_block.data(), group});
    put_rates(offered, misses, blocks.share() / group_count, capacities, groups[group]);
  }
  result.hit_rate_error = largest_standard_error(groups, blocks.share(), unbounded_rates);
  result.lru_error = largest_standard_error(groups, blocks.share(), lru_rates);
}

void remark_unchained(const BlockLog& blocks, PrefixProfile& result) {
  if (blocks.unchained_uses() == 0) return;
  result.remarks.push_back(fmt::format(
      "The block ids are not chained: {} uses stand behind another block than at first. {}", blocks.unchained_uses(),
      blocks.halvings() == 0
          ? "Hits are the leading runs of known blocks, found prompt by prompt."
          : "With only a share of the blocks kept, leading runs cannot be followed and hit rates come out too high; "
            "give more --memory."));
}

void remark_ties(const BlockLog& blocks, PrefixProfile& result) {
  if (blocks.ties() == 0) return;
  result.remarks.push_back(fmt::format(
      "{} requests have the arrival of one in another file, or no arrival: requests of one instant count in "
      "the order in which the files were named, on which the hit rates of caches of a size depend.",
      blocks.ties()));
}

}  // namespace

PrefixProfile profile_blocks(const KeyCounts& prompts, const BlockLog& blocks, std::uint32_t block_size) {
  check(block_size > 0, "a hashed trace has a block size");
  PrefixProfile result;
  result.origin = SharingOrigin::hashed;
  result.block_size = block_size;
  const OfferedPrompts offered = offered_prompts(prompts, block_size);
  result.blocks = offered.block_uses;
  result.unique_blocks = std::uint64_t{blocks.blocks()} << blocks.halvings();
  const Capacities capacities = capacities_of(result.unique_blocks);
  const BlockMisses misses = walk_blocks(blocks, block_size, capacities);
  result.roots = misses.roots << blocks.halvings();
  put_rates(offered, misses, blocks.share(), capacities, result);
  result.lru_sampled_share = blocks.share();
  if (blocks.halvings() > 0) put_errors(offered, blocks, capacities, result);
  remark_unchained(blocks, result);
  remark_ties(blocks, result);
  return result;
}

}  // namespace loadline
