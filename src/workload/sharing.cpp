#include "workload/sharing.h"

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace loadline {

Tokens UnboundedCache::take(const Prompt& prompt) {
  check(prompt.first_block + prompt.block_count <= blocks_.size(), "a prompt's blocks lie inside the workload's");
  const auto ids = blocks_.subspan(prompt.first_block, prompt.block_count);
  const auto key = [&](std::uint64_t id) { return mix(prompt.sharing_namespace, id); };
  const auto first_new = std::find_if_not(ids.begin(), ids.end(), [&](auto id) { return seen_.contains(key(id)); });
  for (auto id = first_new; id != ids.end(); ++id) seen_.insert(key(*id));
  const std::int64_t known = (first_new - ids.begin()) * static_cast<std::int64_t>(block_size_);
  const Tokens hit(std::min(known, prompt.length.value()));
  hit_ += hit.value();
  asked_ += prompt.length.value();
  return hit;
}

double UnboundedCache::token_hit_rate() const {
  return asked_ == 0 ? 0 : static_cast<double>(hit_) / static_cast<double>(asked_);
}

double planned_hit_rate(const Plan& plan, std::size_t count) {
  UnboundedCache cache(plan.blocks, plan.block_size);
  const std::size_t n = std::min(count, plan.requests.size());
  for (std::size_t i = 0; i < n; ++i) cache.take(plan.requests[i].request.prompt);
  return cache.token_hit_rate();
}

LengthSummary summarise_prompts(const Workload& workload) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(workload.requests.size());
  for (const Request& request : workload.requests) lengths.push_back(request.prompt.length.value());
  return summarise_lengths(std::move(lengths));
}

LengthSummary summarise_completions(const Workload& workload) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(workload.requests.size());
  for (const Request& request : workload.requests) lengths.push_back(request.completion.value());
  return summarise_lengths(std::move(lengths));
}

}  // namespace loadline
