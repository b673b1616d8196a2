#include "workload/sharing.h"

#include <algorithm>

#include "core/error.h"
#include "core/random.h"

namespace loadline {

Tokens UnboundedCache::take(const Prompt& prompt) {
  const Tokens hit(hit_and_learn(prompt));
  hit_ += hit.value();
  asked_ += prompt.length.value();
  return hit;
}

std::int64_t UnboundedCache::hit_and_learn(const Prompt& prompt) {
  check(prompt.first_block + prompt.block_count <= blocks_.size(), "a prompt's blocks lie inside the workload's");
  std::int64_t hit = 0, rest = prompt.length.value();
  bool known = true;
  for (const std::uint64_t id : blocks_.subspan(prompt.first_block, prompt.block_count)) {
    const std::int64_t tokens = std::min<std::int64_t>(rest, block_size_);
    std::int64_t& filled = filled_[mix(prompt.sharing_namespace, id)];
    if (known) hit += std::min(filled, tokens);
    known = known && filled >= tokens;
    filled = std::max(filled, tokens);
    rest -= tokens;
  }
  return hit;
}

double UnboundedCache::token_hit_rate() const {
  return asked_ == 0 ? 0 : static_cast<double>(hit_) / static_cast<double>(asked_);
}

LengthSummary summarise_prompts(const Workload& workload) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(workload.requests.size());
  for (const Request& request : workload.requests) {
    if (request.prompt.length.value() > 0) lengths.push_back(request.prompt.length.value());
  }
  return summarise_lengths(std::move(lengths));
}

LengthSummary summarise_completions(const Workload& workload) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(workload.requests.size());
  for (const Request& request : workload.requests) {
    if (request.completion.value() > 0) lengths.push_back(request.completion.value());
  }
  return summarise_lengths(std::move(lengths));
}

}  // namespace loadline
