#pragma once
// Which events of an answer carry tokens, and how many. Servers tell it in three ways: by text (at least one token),
// by the ids or the number of an event's own tokens, or by a count that runs on from event to event.

#include <cstdint>
#include <optional>

#include "wire/stream_event.h"

namespace loadline {

/// Of one answer; ask it for each event in turn.
class RunningTokens {
 public:
  struct Step {
    bool is_output = false;               ///< at least one token came
    std::optional<std::uint32_t> tokens;  ///< how many, where it is told
  };
  /// The next answer, in `format`.
  void reset(StreamFormat format);
  /// An event with text is output. One without is, where it has token ids, or where a count that runs on has grown:
  /// half a character has no text yet. That a count runs on is known from an earlier event with one, or when the very
  /// first event counts one token. A count after the end, after events that told none, or that goes
  /// back (several choices, each with its own), tells nothing of its event.
  Step take(const StreamEvent& event);

 private:
  bool has_grown(const StreamEvent& event) const;
  std::optional<std::uint32_t> tokens_of(const StreamEvent& event, bool is_output);

  bool runs_on_ = false;      ///< counts are known to run on in this answer
  bool is_first_ = true;      ///< no event came yet
  bool is_finished_ = false;  ///< the end was told
  bool any_output_ = false;
  std::optional<std::int64_t> so_far_;  ///< absent: an event came that did not tell
};

}  // namespace loadline
