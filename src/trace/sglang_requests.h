#pragma once
// The two events that SGLang logs of a request, received and finished, made into one row. Knows neither of the two
// layouts (sglang_log.h).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/open_requests.h"
#include "trace/stamp_resolution.h"
#include "trace/trace_builder.h"
#include "trace/utc_time.h"

namespace loadline {

struct SglangEvent {
  enum class Kind : std::uint8_t { other, received, finished };

  Kind kind = Kind::other;
  std::vector<std::string> ids;  ///< one; of a batch that is received, those of all its requests
  std::optional<UtcTime> stamp;  ///< of the event
  std::optional<Tokens> prompt, completion, cached, max_completion;
  std::optional<Nanos> latency;  ///< from arrival to end
  std::string session;
  std::string text, token_ids;  ///< the prompt, where the log holds it whole
  bool is_cut = false;          ///< the log holds the prompt's ends only
  std::string_view reason;      ///< what is wrong with a number
  bool failed = false;
};

class SglangRequests {
 public:
  explicit SglangRequests(TraceBuilder& builder);

  void take(const SglangEvent& event, std::uint64_t line);
  /// After the last event: what was received and never finished is refused.
  void finish();

 private:
  struct Received {
    std::optional<UtcTime> stamp;
    std::uint64_t line = 0;
  };

  void open(const SglangEvent& event, std::uint64_t line);
  void close(const SglangEvent& event, std::uint64_t line);
  std::optional<Nanos> arrival_of(const SglangEvent& event, const std::optional<Received>& received) const;
  void add_row(const SglangEvent& event, std::optional<Nanos> arrival, std::uint64_t line);

  TraceBuilder& builder_;
  OpenRequests<Received> open_;
  StampResolution resolution_;
};

}  // namespace loadline
