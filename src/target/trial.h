#pragma once
// One small request of the kind that the load will send, and what its answer tells.

#include <cstdint>
#include <optional>
#include <string>

#include "target/endpoint.h"
#include "target/fetch.h"
#include "wire/stream_event.h"

namespace loadline {

struct TrialAnswer {
  HttpAnswer http;
  bool finished = false;  ///< a whole answer with output, in the pieces asked for, and no error: usable
  bool streamed = false;  ///< as events, not as one body
  std::uint32_t output_events = 0;
  std::optional<Usage> usage;  ///< the last one
  std::string fingerprint;     ///< system_fingerprint, where told
  std::string trouble;  ///< in words, with what to do about it, empty when finished; may hold what the server repeats
                        ///< of our secrets
};

/// Sends `body` to the endpoint's `path` and reads the whole answer; `streamed`: it is to come in pieces. Never throws
/// for what the server does.
TrialAnswer try_request(const Server& server, const std::string& path, std::string body, Nanos timeout,
                        const EndpointRow& endpoint, bool streamed);

}  // namespace loadline
