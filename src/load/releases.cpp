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
  if (offset == nullptr) return std::nullopt;
  return start_ + offset->after_level_start;
}

std::optional<Release> Releases::take(RunTime now) {
  if (exhausted()) return std::nullopt;
  const auto serial = static_cast<std::uint32_t>(next_);
  if (const std::optional<RunTime> due = next_due()) {
    if (*due > now) return std::nullopt;
    ++next_;
    return Release{serial, *due};
  }
  if (free_users_ == 0) return std::nullopt;
  --free_users_;
  ++next_;
  return Release{serial, now};
}

void Releases::ended(std::uint32_t serial) {
  if (std::holds_alternative<WhenUserFree>(plan_->requests[serial].due)) ++free_users_;
}

}  // namespace loadline
