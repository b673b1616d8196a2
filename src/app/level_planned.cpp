#include "app/level_planned.h"

#include <algorithm>
#include <unordered_set>

#include "core/random.h"
#include "plan/make_plan.h"
#include "workload/sample_distance.h"
#include "workload/sharing.h"

namespace loadline {
namespace {

/// Hit and asked tokens.
struct HitSum {
  std::int64_t hit = 0, asked = 0;
  void add(Tokens hit_tokens, Tokens asked_tokens) {
    hit += hit_tokens.value();
    asked += asked_tokens.value();
  }
  std::optional<double> rate() const {
    if (asked == 0) return std::nullopt;
    return static_cast<double>(hit) / static_cast<double>(asked);
  }
};

/// What a cache that forgets nothing would find of the prompts, in the order in which they were sent.
void set_cache_targets(const Plan& plan, const LevelRecords& records, const std::vector<Request>& history,
                       LevelPlanned& planned) {
  UnboundedCache cache(plan.blocks, plan.block_size);
  for (const Request& request : history) cache.remember(request.prompt);
  HitSum whole, window;
  for (const RequestRecord& record : records.requests) {
    const Prompt& prompt = plan.requests[record.plan_index].request.prompt;
    const Tokens hit = std::max(cache.take(prompt), std::min(prompt.found_in_cache, prompt.length - Tokens(1)));
    whole.add(hit, prompt.length);
    const bool inside = record.due && records.window_start && *record.due >= *records.window_start &&
                        (!records.window_end || *record.due < *records.window_end);
    if (inside) window.add(hit, prompt.length);
  }
  planned.cache_target_rate_whole = whole.rate();
  planned.cache_target_rate = records.window_start ? window.rate() : whole.rate();
}

/// What decides the words of a synthetic prompt: its shared beginning, and its own rest where there is one.
std::uint64_t words_of(const Plan& plan, const Prompt& prompt) {
  std::uint64_t words = mix(static_cast<std::uint64_t>(prompt.length.value()), prompt.sharing_namespace);
  for (std::uint32_t i = 0; i < prompt.block_count; ++i) words = mix(words, plan.blocks[prompt.first_block + i]);
  const auto covered = static_cast<std::int64_t>(prompt.block_count) * plan.block_size;
  return covered < prompt.length.value() ? mix(words, prompt.own) : words;
}

PromptVariety variety_of(const Plan& plan, const LevelRecords& records, bool of_log) {
  std::unordered_set<std::uint64_t> prompts;
  for (const RequestRecord& record : records.requests) {
    const Request& request = plan.requests[record.plan_index].request;
    prompts.insert(of_log ? request.row : words_of(plan, request.prompt));
  }
  return {records.requests.size(), prompts.size()};
}

}  // namespace

LevelPlanned planned_of(const Input& input, const Plan& plan, const LevelRecords& records, bool sends_log_text,
                        Workload& workload) {
  std::vector<std::uint32_t> released;
  for (const RequestRecord& record : records.requests) released.push_back(record.plan_index);
  LevelPlanned planned;
  planned.released = released.size();
  planned.request_digests = request_digests(plan);
  set_cache_targets(plan, records, workload.history, planned);
  planned.prompts = variety_of(plan, records, sends_log_text);
  workload.requests.clear();
  for (const std::uint32_t index : released) workload.requests.push_back(plan.requests[index].request);
  if (input.trace) planned.sample = sample_distance(*input.trace, workload, workload.requests.size());
  return planned;
}

}  // namespace loadline
