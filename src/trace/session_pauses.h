#pragma once
// Pauses between the turns of a conversation, from logs that say when each request came and how long it took.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/trace.h"

namespace loadline {

class SessionPauses {
 public:
  static constexpr std::size_t not_kept = SIZE_MAX;

  /// A turn of `session`. `row`: its place in the trace, or not_kept.
  void note(SessionIndex session, Nanos arrival, std::optional<Nanos> duration, std::size_t row) {
    any_duration_ = any_duration_ || duration.has_value();
    turns_.push_back({session, arrival, duration, row});
  }
  /// The same notes of another part of the log: rows come `row_offset` further behind, `sessions` are its by index.
  void append(const SessionPauses& other, std::size_t row_offset, const std::vector<SessionIndex>& sessions);
  /// give(row, pause) for each turn that came after its turn before had ended; turns that overlap have no pause between
  /// them, and neither has one behind a turn of unknown duration. Call once.
  void settle(const std::function<void(std::size_t row, Nanos pause)>& give);

 private:
  struct Turn {
    SessionIndex session;
    Nanos arrival;
    std::optional<Nanos> duration;
    std::size_t row;
  };
  std::vector<Turn> turns_;
  bool any_duration_ = false;
};

}  // namespace loadline
