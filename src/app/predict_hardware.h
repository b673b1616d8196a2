#pragma once
// A fitted engine on other hardware, by what the hardware table says of both.

#include <string>
#include <vector>

#include "core/fact.h"
#include "engine/parameters.h"

namespace loadline {

/// Scales reads of weights and KV by the ratio of the memory bandwidths and compute by that of the peaks (of the type
/// the weights are computed in), all devices together; what is neither stays: launch gaps, bookkeeping, token budget
/// and limits. Says what it did, in words. Error where the run's own hardware is not known, or one of them has no peak.
std::vector<std::string> move_to_hardware(const std::string& to, const std::vector<Fact>& facts_of_run,
                                          EngineParameters& engine);

}  // namespace loadline
