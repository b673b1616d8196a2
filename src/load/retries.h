#pragma once
// Requests that wait to be sent again, where the user asked for it. By default nothing is.

#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "core/record.h"

namespace loadline {

struct WaitingRetry {
  RunTime due{};
  std::uint32_t serial = 0;
  RunTime released{};         ///< the first attempt's: the total timeout counts from there
  std::uint32_t retries = 0;  ///< which retry this will be, from 1
  std::string body;
};

class Retries {
 public:
  /// `most`: retries of one request. `wall_second`: a second of the wall in run time.
  Retries(std::uint32_t most, Nanos wall_second) : most_(most), wall_second_(wall_second) {}

  /// Whether the request, which has ended after `retries` retries, is to be sent again: it was turned away (429, 503 or
  /// another 5xx), not connected, or cut before any output.
  bool wants(const RequestRecord& record, std::uint32_t retries) const;
  /// When: after Retry-After, where the server said it (at most a minute), else after 0.5 s, doubled each time.
  RunTime due(const RequestRecord& record, std::uint32_t retries, RunTime now) const;
  void add(WaitingRetry retry) { waiting_.push(std::move(retry)); }
  /// The next one that is due at `now`.
  std::optional<WaitingRetry> take(RunTime now);
  std::optional<RunTime> next_due() const;

 private:
  struct Later {
    bool operator()(const WaitingRetry& a, const WaitingRetry& b) const { return a.due > b.due; }
  };

  std::uint32_t most_;
  Nanos wall_second_;
  std::priority_queue<WaitingRetry, std::vector<WaitingRetry>, Later> waiting_;
};

/// The record as it was when the request had been sent first.
void forget_answer(RequestRecord& record);

}  // namespace loadline
