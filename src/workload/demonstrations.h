#pragma once
// Two classic mistakes, to be shown beside the real distribution: never what a result should rest on.

#include "core/units.h"
#include "core/workload.h"

namespace loadline {

struct MeanLengths {
  Tokens prompt{}, completion{};  ///< at least 1; completion 0: nobody knows it
};
/// Rounded means of the requests' lengths; of completions, those that are known. Not empty.
MeanLengths mean_lengths(const Workload& workload);

/// Every request of the same two lengths, no prompt sharing anything with another, no conversations. Arrivals stay.
void send_means(const MeanLengths& lengths, Workload& workload);

/// Every request with one and the same prompt of `length`, also in other levels; completions and arrivals stay, there
/// are no conversations.
void repeat_one_prompt(Tokens length, Workload& workload);

}  // namespace loadline
