#include "fleet/remote_shares.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {
namespace {

constexpr int clock_rounds = 400;
constexpr Nanos clock_patience = std::chrono::seconds(10);
constexpr const char* gone = " is gone: it ended or cannot be reached";

}  // namespace

RemoteShares::RemoteShares(Communicator& ranks) : ranks_(ranks), peers_(static_cast<std::size_t>(ranks.size())) {
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    Peer& peer = peers_[static_cast<std::size_t>(rank)];
    peer.first = peer.latest = align(rank);
  }
}

RemoteShares::~RemoteShares() {
  for (int rank = 1; rank < ranks_.size(); ++rank) send(rank, EndRun{failure_.value_or("")});
}

ClockOffset RemoteShares::align(int rank) {
  const std::optional<ClockOffset> offset = clock_offset(ranks_.sample_clock(rank, clock_rounds, clock_patience));
  if (!offset) {
    throw Error(name_of(ranks_, rank) + " does not answer; see what it said, and whether the machines reach each other",
                ExitStatus::not_valid);
  }
  return *offset;
}

Nanos RemoteShares::on_its_clock(int rank, Nanos ours) const {
  return peers_.at(static_cast<std::size_t>(rank)).first.to_theirs(ours);
}

void RemoteShares::send(int rank, const FleetMessage& message) { ranks_.send(rank, Tag::control, encode(message)); }

void RemoteShares::carry(const Plan& whole, const std::vector<PlanShare>& shares) {
  level_ = whole.ordinal;
  shares_ = shares.size();
  given_ = ready_ = 0;
  told_ = Phase::warming_up;
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    peers_[static_cast<std::size_t>(rank)].latest = align(rank);
    CarryShares message{level_, {}};
    for (std::size_t share = 0; share < shares.size(); ++share) {
      if (rank_of_share(share, ranks_.size()) != rank) continue;
      message.shares.push_back({static_cast<std::uint32_t>(share), self_contained(shares[share], whole)});
    }
    given_ += message.shares.size();
    send(rank, message);
  }
}

void RemoteShares::listen(Conductor& conductor) {
  while (std::optional<Message> message = ranks_.poll(Tag::events)) {
    take(message->from, decode(message->bytes), conductor);
  }
}

void RemoteShares::take(int from, FleetMessage message, Conductor& conductor) {
  if (const auto* ready = std::get_if<SharesReady>(&message)) {
    if (ready->level == level_) ready_ += ready->shares;
  } else if (auto* batch = std::get_if<ShareBatch>(&message)) {
    if (batch->level != level_ || rank_of_share(batch->share, ranks_.size()) != from) return;
    shift_instants(batch->batch, -peers_[static_cast<std::size_t>(from)].ahead());
    conductor.add(batch->share, std::make_unique<Batch>(std::move(batch->batch)));
  } else if (const auto* failed = std::get_if<SharesFailed>(&message)) {
    failure_ = name_of(ranks_, from) + ": " + failed->why;
  }
}

void RemoteShares::start(RunTime at) {
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    send(rank, StartLevel{level_, at + peers_[static_cast<std::size_t>(rank)].ahead()});
  }
}

void RemoteShares::publish(Phase phase, const LevelCourse& course) {
  if (phase == told_) return;
  told_ = phase;
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    const Nanos ahead = peers_[static_cast<std::size_t>(rank)].ahead();
    LevelPhase message{level_, phase, course.window_start(), course.window_end()};
    if (message.window_start) *message.window_start += ahead;
    if (message.window_end) *message.window_end += ahead;
    send(rank, message);
  }
}

std::optional<std::string> RemoteShares::trouble(Conductor& conductor, RunTime now) {
  for (int rank = 1; rank < ranks_.size() && !failure_; ++rank) {
    const bool is_gone = ranks_.has_left(rank) || ranks_.silence(rank) > lost_after;
    if (!is_gone && !ranks_.is_broken()) continue;
    const int lost = ranks_.is_broken() ? lost_rank(ranks_).value_or(rank) : rank;
    failure_ = name_of(ranks_, lost) + gone;
  }
  if (!failure_) return std::nullopt;
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    const bool is_gone = ranks_.has_left(rank) || ranks_.silence(rank) > lost_after || ranks_.is_broken();
    if (is_gone) abandon_rank(rank, conductor, now, *failure_);
  }
  return failure_;
}

std::optional<std::string> RemoteShares::silent_rank() const {
  const std::optional<int> rank = lost_rank(ranks_);
  if (!rank) return std::nullopt;
  return name_of(ranks_, *rank) + gone;
}

void RemoteShares::abandon_rank(int rank, Conductor& conductor, RunTime now, const std::string& why) {
  for (std::size_t share = 0; share < shares_; ++share) {
    if (rank_of_share(share, ranks_.size()) == rank) conductor.abandon(share, now, why);
  }
}

void RemoteShares::abandon_all(Conductor& conductor, RunTime now, const std::string& why) {
  for (int rank = 1; rank < ranks_.size(); ++rank) abandon_rank(rank, conductor, now, why);
}

std::optional<Nanos> RemoteShares::clock_residual() const {
  std::optional<Nanos> worst;
  for (std::size_t rank = 1; rank < peers_.size(); ++rank) {
    const ClockOffset& offset = peers_[rank].latest;
    const Nanos residual = offset.half_round_trip + offset.spread;
    if (!worst || residual > *worst) worst = residual;
  }
  return worst;
}

}  // namespace loadline
