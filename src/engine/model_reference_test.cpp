// The model against its slow and simple twin: the five rules of docs/method.md section 7, one request and one
// token at a time, without the columns, the counted blocks and the cache.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "core/random.h"
#include "engine/model.h"

namespace loadline {
namespace {

struct PlainRequest {
  EngineId id;
  std::int64_t prompt, output, generated = 0, target = 0, stored = 0;
  bool emits = false;
  bool decoding() const { return stored >= target; }
};

struct PlainStep {
  Nanos duration;
  std::vector<EngineId> emitted, ended;
};

class PlainEngine {
 public:
  explicit PlainEngine(const EngineParameters& parameters) : p_(parameters) {}
  void submit(EngineId id, std::int64_t prompt, std::int64_t output) {
    waiting_.push_back({id, prompt, output});
    waiting_.back().target = prompt;
  }
  bool idle() const { return running_.empty() && waiting_.empty(); }
  std::uint64_t preemptions = 0;

  PlainStep step() {
    std::int64_t budget = p_.token_budget;
    double context = 0;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const bool decodes = running_[i].decoding();
      const std::int64_t chunk = std::min(budget, decodes ? 1 : running_[i].target - running_[i].stored);
      if (chunk == 0) continue;
      while (i < running_.size() && blocks(running_[i].stored + chunk) - blocks(running_[i].stored) > free_blocks())
        preempt();
      if (i >= running_.size()) break;
      context += static_cast<double>(decodes ? running_[i].prompt + running_[i].generated : running_[i].stored);
      work(running_[i], chunk, budget);
    }
    while (budget > 0 && !waiting_.empty() && static_cast<std::int64_t>(running_.size()) < p_.max_sequences) {
      const std::int64_t chunk = std::min(budget, waiting_.front().target);
      if (blocks(chunk) > free_blocks()) break;
      running_.push_back(waiting_.front());
      waiting_.pop_front();
      work(running_.back(), chunk, budget);
    }
    return conclude(context, budget);
  }

 private:
  std::int64_t blocks(std::int64_t tokens) const { return (tokens + p_.block_size - 1) / p_.block_size; }
  std::int64_t free_blocks() const {
    std::int64_t free = p_.kv_blocks();
    for (const PlainRequest& r : running_) free -= blocks(r.stored);
    return free;
  }
  void preempt() {
    PlainRequest last = running_.back();
    running_.pop_back();
    last.target = last.prompt + last.generated;
    last.stored = 0;
    waiting_.push_front(last);
    ++preemptions;
  }
  static void work(PlainRequest& request, std::int64_t chunk, std::int64_t& budget) {
    const bool decodes = request.decoding();
    request.stored += chunk;
    budget -= chunk;
    request.emits = decodes || request.stored == request.target;
  }
  PlainStep conclude(double context, std::int64_t budget) {
    const Seconds tm = p_.weight_read + p_.kv_read * context;
    const Seconds tc = p_.token_compute * static_cast<double>(p_.token_budget - budget);
    PlainStep result{nanos(p_.fixed_step + std::max(tm, tc) + (1 - p_.overlap) * std::min(tm, tc) +
                           p_.sequence_step * static_cast<double>(running_.size())),
                     {},
                     {}};
    for (PlainRequest& r : running_) {
      if (!r.emits) continue;
      r.emits = false;
      result.emitted.push_back(r.id);
      if (++r.generated == r.output) result.ended.push_back(r.id);
    }
    std::erase_if(running_, [](const PlainRequest& r) { return r.generated == r.output; });
    return result;
  }

  EngineParameters p_;
  std::deque<PlainRequest> waiting_;
  std::vector<PlainRequest> running_;
};

/// Adds how often both preempted.
void expect_equal_runs(const EngineParameters& parameters, std::uint64_t seed, std::uint64_t longest,
                       std::uint64_t& preemptions) {
  EngineModel model(parameters);
  PlainEngine plain(parameters);
  Random random(seed);
  EngineId next = 0;
  const auto submit = [&] {
    const auto prompt = static_cast<std::int64_t>(1 + random.below(random.below(5) == 0 ? longest : 40));
    const auto output = static_cast<std::int64_t>(1 + random.below(120));
    model.submit(next, prompt, output);
    plain.submit(next++, prompt, output);
  };
  for (int i = 0; i < 25; ++i) submit();
  for (int step = 0; !plain.idle(); ++step) {
    ASSERT_FALSE(model.idle());
    const EngineStep& fast = model.step();
    const PlainStep slow = plain.step();
    ASSERT_EQ(fast.duration, slow.duration) << "step " << step << ", seed " << seed;
    std::vector<EngineId> emitted(fast.started.begin(), fast.started.end());
    emitted.insert(emitted.end(), fast.continued.begin(), fast.continued.end());
    std::vector<EngineId> ended(fast.ended.begin(), fast.ended.end());
    std::vector<EngineId> expected = slow.emitted, expected_ended = slow.ended;
    for (auto* list : {&emitted, &ended, &expected, &expected_ended}) std::sort(list->begin(), list->end());
    ASSERT_EQ(emitted, expected) << "step " << step << ", seed " << seed;
    ASSERT_EQ(ended, expected_ended);
    for (std::size_t i = 0; i < slow.ended.size() && next < 300; ++i) submit();
  }
  EXPECT_TRUE(model.idle());
  EXPECT_EQ(model.counters().preemptions, plain.preemptions);
  preemptions += plain.preemptions;
}

TEST(EngineModelReference, equals_the_plain_reading_of_the_rules) {
  std::uint64_t preemptions = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EngineParameters p;
    p.prefix_cache = seed % 2 == 0;
    expect_equal_runs(p, seed, 3'000, preemptions);
    p.kv_tokens = 1'500;  // preempts often
    expect_equal_runs(p, seed, 700, preemptions);
    p.token_budget = 20;  // fewer tokens a step than sequences
    p.max_sequences = 30;
    expect_equal_runs(p, seed, 700, preemptions);
    p.block_size = 7;
    expect_equal_runs(p, seed, 700, preemptions);
  }
  EXPECT_GT(preemptions, 1'000u);
}

}  // namespace
}  // namespace loadline
