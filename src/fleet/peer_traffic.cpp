#include "fleet/peer_traffic.h"

#include <algorithm>

namespace loadline {

PeerTraffic::PeerTraffic(int rank, int size, Nanos now)
    : own_rank_(static_cast<std::size_t>(rank)), looked_at_(now), peers_(static_cast<std::size_t>(size), Peer{now}) {}

void PeerTraffic::post(Outgoing message) {
  const std::lock_guard lock(mutex_);
  outbox_.push_back(std::move(message));
  posted_ = true;
  wake_.notify_one();
}

std::optional<Message> PeerTraffic::take(Tag tag) {
  const std::lock_guard lock(mutex_);
  std::deque<Message>& waiting = inbox_[static_cast<std::size_t>(tag)];
  if (waiting.empty()) return std::nullopt;
  Message message = std::move(waiting.front());
  waiting.pop_front();
  return message;
}

Nanos PeerTraffic::silence_of(std::size_t rank) const {
  return rank == own_rank_ ? Nanos(0) : std::max(looked_at_ - peers_[rank].heard_at, Nanos(0));
}

Nanos PeerTraffic::silence(int rank) const {
  const std::lock_guard lock(mutex_);
  return silence_of(static_cast<std::size_t>(rank));
}

bool PeerTraffic::has_left(int rank) const {
  const std::lock_guard lock(mutex_);
  return peers_[static_cast<std::size_t>(rank)].has_left;
}

Nanos PeerTraffic::looked_at() const {
  const std::lock_guard lock(mutex_);
  return looked_at_;
}

void PeerTraffic::close() {
  const std::lock_guard lock(mutex_);
  closing_ = posted_ = true;
  wake_.notify_one();
}

std::optional<Outgoing> PeerTraffic::next_to_send() {
  const std::lock_guard lock(mutex_);
  const auto ready = std::ranges::find_if(outbox_, [this](const Outgoing& message) {
    return silence_of(static_cast<std::size_t>(message.to)) <= held_back;
  });
  if (ready == outbox_.end()) return std::nullopt;
  Outgoing message = std::move(*ready);
  outbox_.erase(ready);
  return message;
}

void PeerTraffic::deliver(Message message, Tag tag) {
  const std::lock_guard lock(mutex_);
  inbox_[static_cast<std::size_t>(tag)].push_back(std::move(message));
}

void PeerTraffic::heard(int rank, Nanos now) {
  const std::lock_guard lock(mutex_);
  peers_[static_cast<std::size_t>(rank)].heard_at = now;
}

void PeerTraffic::left(int rank) {
  const std::lock_guard lock(mutex_);
  peers_[static_cast<std::size_t>(rank)].has_left = true;
  std::erase_if(outbox_, [rank](const Outgoing& message) { return message.to == rank; });
}

void PeerTraffic::look(Nanos now) {
  const std::lock_guard lock(mutex_);
  looked_at_ = now;
}

void PeerTraffic::wait(Nanos longest) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, longest, [this] { return posted_; });
  posted_ = false;
}

bool PeerTraffic::all_sent() const {
  const std::lock_guard lock(mutex_);
  return outbox_.empty();
}

bool PeerTraffic::is_closing() const {
  const std::lock_guard lock(mutex_);
  return closing_;
}

template <class Holds>
bool PeerTraffic::any_peer(Holds holds) const {
  const std::lock_guard lock(mutex_);
  const std::size_t first = own_rank_ == 0 ? 1 : 0;
  const std::size_t last = own_rank_ == 0 ? peers_.size() : 1;  // the others only know rank 0
  for (std::size_t rank = first; rank < last; ++rank) {
    if (holds(rank)) return true;
  }
  return false;
}

bool PeerTraffic::all_left() const {
  return !any_peer([this](std::size_t rank) { return !peers_[rank].has_left && silence_of(rank) <= given_up; });
}

bool PeerTraffic::any_given_up() const {
  return any_peer([this](std::size_t rank) { return !peers_[rank].has_left && silence_of(rank) > given_up; });
}

}  // namespace loadline
