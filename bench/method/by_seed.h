#pragma once
// One result for each seed, on several threads: what a seed gives does not depend on which thread took it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace loadline::bench {

/// `run(seed)` for the seeds 1 to `count`, in order of seed.
template <class Result>
std::vector<Result> by_seed(std::uint64_t count, unsigned threads, const std::function<Result(std::uint64_t)>& run) {
  std::vector<Result> results(count);
  std::atomic<std::uint64_t> taken = 0;
  const auto work = [&] {
    for (std::uint64_t i = taken++; i < count; i = taken++) results[i] = run(i + 1);
  };
  std::vector<std::jthread> others;
  for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(work);
  work();
  others.clear();  // joins
  return results;
}

}  // namespace loadline::bench
