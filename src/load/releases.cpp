#include "load/releases.h"

#include <cmath>

namespace loadline {

std::size_t users_of(const Level& level) {
  if (level.kind != LevelKind::concurrency) return 0;
  return static_cast<std::size_t>(std::llround(level.target));
}

Releases::Releases(const Plan& plan, RunTime level_start)
    : plan_(&plan), start_(level_start), free_users_(users_of(plan.level)) {}

const AtOffset* Releases::next_offset() const {
  return exhausted() ? nullptr : std::get_if<AtOffset>(&plan_->requests[next_].due);
}

std::optional<RunTime> Releases::next_due() const {
  const AtOffset* offset = next_offset();
  if (offset != nullptr) return start_ + offset->after_level_start;
  if (exhausted() || free_users_ > 0 || resting_.empty()) return std::nullopt;
  return resting_.front();
}

void Releases::wake_rested(RunTime now) {
  for (; !resting_.empty() && resting_.front() <= now; resting_.pop_front()) ++free_users_;
}

std::optional<Release> Releases::take(RunTime now) {
  if (exhausted()) return std::nullopt;
  const auto serial = static_cast<std::uint32_t>(next_);
  if (const AtOffset* offset = next_offset()) {
    const RunTime due = start_ + offset->after_level_start;
    if (due > now) return std::nullopt;
    ++next_;
    return Release{serial, due};
  }
  wake_rested(now);
  if (free_users_ == 0) return std::nullopt;
  --free_users_;
  ++next_;
  return Release{serial, now};
}

void Releases::ended(std::uint32_t serial, std::optional<RunTime> free_at) {
  if (!std::holds_alternative<WhenUserFree>(plan_->requests[serial].due)) return;
  if (free_at) {
    resting_.push_back(*free_at);
  } else {
    ++free_users_;
  }
}

}  // namespace loadline
