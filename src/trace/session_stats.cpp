#include "trace/session_stats.h"

#include <algorithm>
#include <limits>

namespace loadline {
namespace {

void add_think_times(std::vector<Nanos> delays, SessionStats& stats) {
  if (delays.empty()) return;
  const auto rank = [&](std::size_t percent) {
    const auto at = delays.begin() + static_cast<std::ptrdiff_t>((percent * delays.size() + 99) / 100 - 1);
    std::nth_element(delays.begin(), at, delays.end());
    return seconds(*at);
  };
  stats.think_time_p50_s = rank(50);
  stats.think_time_p90_s = rank(90);
}

}  // namespace

void SessionCounts::count_turn(SessionIndex session) {
  if (session >= turns_of_source_.size()) turns_of_source_.resize(std::size_t{session} + 1, 0);
  ++turns_of_source_[session];
}

void SessionCounts::end_source(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < turns_of_source_.size(); ++i) {
    if (turns_of_source_[i] == 0) continue;  // no row of it could be used
    if (i < names.size()) {
      turns_by_name_.add(key_of_name(names[i]), turns_of_source_[i]);
    } else {
      nameless_.add(turns_of_source_[i]);
    }
  }
  turns_of_source_.clear();
}

void SessionCounts::merge(const SessionCounts& other) {
  turns_by_name_.add_all(other.turns_by_name_);
  nameless_.add_all(other.nameless_);
  delays_.insert(delays_.end(), other.delays_.begin(), other.delays_.end());
}

std::optional<SessionStats> SessionCounts::stats() const {
  KeyCounts by_turns = nameless_;
  turns_by_name_.for_each([&](std::uint64_t, std::uint64_t turns) { by_turns.add(turns); });
  std::vector<std::int64_t> turns;
  by_turns.for_each([&](std::uint64_t count, std::uint64_t sessions) {
    turns.insert(turns.end(), sessions, static_cast<std::int64_t>(count));
  });
  if (turns.empty()) return std::nullopt;
  SessionStats stats;
  stats.declared = true;
  stats.count = turns.size();
  const auto single = std::count(turns.begin(), turns.end(), 1);
  stats.single_turn_share = static_cast<double>(single) / static_cast<double>(turns.size());
  stats.turns = summarise_lengths(std::move(turns));
  add_think_times(delays_, stats);
  return stats;
}

void SessionCounts::write(PartWriter& part) const {
  part.counts(turns_by_name_);
  part.counts(nameless_);
  std::vector<Nanos> delays = delays_;
  std::sort(delays.begin(), delays.end());
  part.number(delays.size());
  Nanos before{};
  for (const Nanos delay : delays) {
    part.signed_number((delay - before).count());
    before = delay;
  }
}

void SessionCounts::read(PartReader& part) {
  turns_by_name_ = part.counts();
  nameless_ = part.counts();
  Nanos delay{};
  for (std::uint64_t left = part.number(); left > 0; --left) {
    delay += Nanos(part.signed_number());
    delays_.push_back(delay);
  }
}

}  // namespace loadline
