#include "prefix/sharing_summary.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "prefix/hashed_profile.h"

namespace loadline {

void SharingSummary::add(const TraceRow& row, std::span<const std::uint64_t> ids) {
  if (row.prompt.value() <= 0) return;  // a text that nobody has counted
  const auto prompt = static_cast<std::uint32_t>(row.prompt.value());
  prompts_.add(pair_key(prompt, ids.size()));
  cached_.add(row);
  if (ids.empty()) {
    sessions_.add(row);
  } else {
    blocks_.add(row.arrival, prompt, ids);
  }
}

void SharingSummary::end_source(const Trace& facts) {
  note_origin(facts.sharing);
  if (facts.sharing == SharingOrigin::hashed) use_block_size(facts.block_size);
  if (facts.sharing == SharingOrigin::sessions) {
    sessions_.end_source(facts.sessions);
  } else {
    sessions_.drop_source();
  }
}

void SharingSummary::use_block_size(std::uint32_t block_size) {
  if (block_size == 0 || block_size == block_size_) return;
  if (block_size_ != 0) {
    throw Error(fmt::format(
        "the logs name their prompts' beginnings in blocks of {} and of {} tokens, so what they share cannot "
        "be told; describe them one by one",
        block_size_, block_size));
  }
  block_size_ = block_size;
}

void SharingSummary::merge(SharingSummary&& other) {
  use_block_size(other.block_size_);
  origins_ |= other.origins_;
  prompts_.add_all(other.prompts_);
  blocks_.merge(std::move(other.blocks_));
  sessions_.merge(std::move(other.sessions_));
  cached_.merge(other.cached_);
}

SharingOrigin SharingSummary::origin() const {
  for (const SharingOrigin known : {SharingOrigin::hashed, SharingOrigin::sessions, SharingOrigin::cached_counts}) {
    if (has(known)) return known;
  }
  return SharingOrigin::unknown;
}

PrefixProfile SharingSummary::profile() const {
  PrefixProfile result;
  if (origin() == SharingOrigin::hashed) result = profile_blocks(prompts_, blocks_, block_size_);
  if (origin() == SharingOrigin::sessions) result = sessions_.profile(prompts_);
  if (origin() == SharingOrigin::cached_counts) result = cached_.profile();
  if ((origins_ & (origins_ - 1)) != 0) {
    result.remarks.push_back(fmt::format(
        "Not all files tell of sharing in the same way; the numbers rest on those that do as {}.", name(origin())));
  }
  return result;
}

std::optional<SessionStats> SharingSummary::inferred_sessions() const {
  if (origin() != SharingOrigin::hashed) return std::nullopt;
  return infer_sessions(prompts_, blocks_, block_size_);
}

}  // namespace loadline
