#include "trace/session_pauses.h"

#include <algorithm>
#include <tuple>

namespace loadline {

void SessionPauses::append(const SessionPauses& other, std::size_t row_offset,
                           const std::vector<SessionIndex>& sessions) {
  for (Turn turn : other.turns_) {
    turn.session = sessions[turn.session];
    if (turn.row != not_kept) turn.row += row_offset;
    turns_.push_back(turn);
  }
  any_duration_ = any_duration_ || other.any_duration_;
}

void SessionPauses::settle(const std::function<void(std::size_t row, Nanos pause)>& give) {
  if (!any_duration_) return;
  std::stable_sort(turns_.begin(), turns_.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.session, a.arrival) < std::tie(b.session, b.arrival);
  });
  for (std::size_t i = 1; i < turns_.size(); ++i) {
    const Turn &before = turns_[i - 1], &turn = turns_[i];
    if (turn.session != before.session || !before.duration) continue;
    const Nanos pause = turn.arrival - before.arrival - *before.duration;
    if (pause >= Nanos(0)) give(turn.row, pause);
  }
}

}  // namespace loadline
