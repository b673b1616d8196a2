#include "prefix/cached_counts.h"

#include <fmt/format.h>

namespace loadline {

void CachedCounts::merge(const CachedCounts& other) {
  hit_tokens_ += other.hit_tokens_;
  prompt_tokens_ += other.prompt_tokens_;
  requests_ += other.requests_;
  requests_with_hit_ += other.requests_with_hit_;
  prompt_shares_ += other.prompt_shares_;
  uncounted_ += other.uncounted_;
}

PrefixProfile CachedCounts::profile() const {
  PrefixProfile result;
  result.origin = SharingOrigin::cached_counts;
  if (requests_ == 0) return result;
  const auto requests = static_cast<double>(requests_);
  result.token_hit_rate = static_cast<double>(hit_tokens_) / static_cast<double>(prompt_tokens_);
  result.request_hit_rate_mean = prompt_shares_ / requests;
  result.requests_with_hit = static_cast<double>(requests_with_hit_) / requests;
  if (uncounted_ > 0) {
    result.remarks.push_back(fmt::format(
        "{} of {} requests say how many of their tokens were cached, and the rates are of those; a log that "
        "leaves out a count of 0 makes them too high.",
        requests_, requests_ + uncounted_));
  }
  return result;
}

void CachedCounts::write(PartWriter& part) const {
  for (const std::uint64_t sum : {hit_tokens_, prompt_tokens_, requests_, requests_with_hit_, uncounted_})
    part.number(sum);
  part.real(prompt_shares_);
}

void CachedCounts::read(PartReader& part) {
  for (std::uint64_t* const sum : {&hit_tokens_, &prompt_tokens_, &requests_, &requests_with_hit_, &uncounted_})
    *sum = part.number();
  prompt_shares_ = part.real();
}

}  // namespace loadline
