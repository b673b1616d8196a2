#pragma once
// SIGINT and SIGTERM ask a run to stop: it keeps what it measured. A second one ends the program at once.

#include <atomic>

namespace loadline {

class StopSignal {
 public:
  /// Takes over both signals until destroyed. One at a time.
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// Set once a signal came.
  const std::atomic<bool>& asked() const;
  /// Blocks until a signal comes.
  void wait() const;
};

}  // namespace loadline
