#pragma once
// `loadline bound`: the bound of a model on hardware for one or more concurrencies, without a run.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bound/roofline.h"
#include "core/bound.h"

namespace loadline {

struct BoundQuestion {
  std::vector<double> concurrency = {1};  ///< each at least 1, may be a fraction
  std::optional<double> context;          ///< tokens; absent: that of the middle of the answer
  WorkShape request{1024, 0, 256};
  double overhead_bytes = 0;  ///< of device memory, all devices together
};

/// Error naming the flag where a number makes no sense.
BoundTable bound_table(const ModelFacts& model, const Hardware& hardware, const BoundQuestion& question);

/// Tokens and requests at `context` that fit beside the weights in 0.9 of memory, rounded down. A token is
/// counted at full width in every layer, a request with its sliding windows.
KvCapacity kv_capacity(const ModelFacts& model, const Hardware& hardware, double context, double overhead_bytes);

/// Every fact that the bound rests on, printed, with its unit and source.
std::vector<std::pair<std::string, std::string>> bound_inputs(const ModelFacts& model, const Hardware& hardware);

/// What a reader must know before he trusts the numbers: unknown peaks, unconfirmed figures, even routing,
/// weights that do not fit.
std::vector<std::string> bound_notes(const ModelFacts& model, const Hardware& hardware);

}  // namespace loadline
