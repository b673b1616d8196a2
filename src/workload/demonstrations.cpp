#include "workload/demonstrations.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::uint64_t the_prompt = 1;  // its block, and the namespace of that: of every level alike

void end_conversations(Workload& workload) {
  for (Request& request : workload.requests) {
    request.session = no_session;
    request.turn = 0;
    request.think.reset();
  }
  workload.history.clear();
}

}  // namespace

MeanLengths mean_lengths(const Workload& workload) {
  check(!workload.requests.empty(), "a mean is of something");
  double prompts = 0, completions = 0, told = 0;
  for (const Request& request : workload.requests) {
    prompts += static_cast<double>(request.prompt.length.value());
    completions += static_cast<double>(request.completion.value());
    told += request.completion.value() > 0 ? 1 : 0;
  }
  const auto rounded = [](double sum, double n) { return Tokens(std::max<std::int64_t>(1, std::llround(sum / n))); };
  MeanLengths means;
  means.prompt = rounded(prompts, static_cast<double>(workload.requests.size()));
  if (told > 0) means.completion = rounded(completions, told);
  return means;
}

void send_means(const MeanLengths& lengths, Workload& workload) {
  end_conversations(workload);
  for (Request& request : workload.requests) {
    request.prompt.length = lengths.prompt;
    request.prompt.block_count = 0;
    request.completion = lengths.completion;
  }
}

void repeat_one_prompt(Tokens length, Workload& workload) {
  end_conversations(workload);
  workload.blocks = {the_prompt};
  workload.block_size = static_cast<std::uint32_t>(length.value());
  for (Request& request : workload.requests) {
    request.prompt.length = length;
    request.prompt.first_block = 0;
    request.prompt.block_count = 1;
    request.prompt.sharing_namespace = the_prompt;
  }
}

}  // namespace loadline
