#include "workload/demonstrations.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

Workload three_turns() {
  Workload workload;
  workload.block_size = 16;
  workload.blocks = {5, 6};
  for (const std::int64_t length : {100, 300, 200}) {
    Request request;
    request.prompt = {Tokens(length), 0, 2, 7, static_cast<std::uint64_t>(length)};
    request.completion = Tokens(length == 300 ? 0 : length / 10);
    request.session = 3;
    request.turn = static_cast<std::uint32_t>(workload.requests.size());
    request.arrival = std::chrono::seconds(length);
    request.think = std::chrono::seconds(1);
    workload.requests.push_back(request);
  }
  workload.history = workload.requests;
  return workload;
}

TEST(Demonstrations, MeansAreOfWhatIsKnown) {
  const MeanLengths means = mean_lengths(three_turns());
  EXPECT_EQ(means.prompt, Tokens(200));
  EXPECT_EQ(means.completion, Tokens(15)) << "of the two that are known";
}

TEST(Demonstrations, MeansReplaceLengthsAndEndConversations) {
  Workload workload = three_turns();
  send_means(mean_lengths(workload), workload);
  for (const Request& request : workload.requests) {
    EXPECT_EQ(request.prompt.length, Tokens(200));
    EXPECT_EQ(request.completion, Tokens(15));
    EXPECT_EQ(request.prompt.block_count, 0u) << "nothing is shared";
    EXPECT_EQ(request.session, no_session);
    EXPECT_FALSE(request.think);
  }
  EXPECT_NE(workload.requests[0].prompt.own, workload.requests[1].prompt.own);
  EXPECT_EQ(workload.requests[1].arrival, std::chrono::seconds(300)) << "arrivals stay";
  EXPECT_TRUE(workload.history.empty());
}

TEST(Demonstrations, OnePromptIsTheSameEverywhere) {
  Workload one = three_turns(), other = three_turns();
  for (Request& request : other.requests) request.prompt.sharing_namespace = 8;  // another level
  repeat_one_prompt(Tokens(200), one);
  repeat_one_prompt(Tokens(200), other);
  EXPECT_EQ(one.blocks, other.blocks);
  for (std::size_t i = 0; i < 3; ++i) {
    const Prompt &a = one.requests[i].prompt, &b = other.requests[i].prompt;
    EXPECT_EQ(a.sharing_namespace, b.sharing_namespace);
    EXPECT_EQ(a.first_block, 0u);
    EXPECT_GE(a.block_count * one.block_size, 200u) << "a block covers all of it";
    EXPECT_EQ(one.requests[i].completion, three_turns().requests[i].completion);
  }
}

}  // namespace
}  // namespace loadline
