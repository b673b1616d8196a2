#include "fleet/peer_traffic.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::size_t length_bytes = 4;

/// A message in a bundle: its length, little endian, and its bytes.
void append_to_bundle(const std::string& message, std::string& bundle) {
  check(message.size() <= 0x7fffffff, "a message is smaller than 2 GiB");
  for (std::size_t i = 0; i < length_bytes; ++i) bundle.push_back(static_cast<char>(message.size() >> 8 * i & 0xff));
  bundle += message;
}

/// Takes the first message off; absent where the bytes begin with none.
std::optional<std::string_view> take_from_bundle(std::string_view& bundle) {
  if (bundle.size() < length_bytes) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= std::size_t{static_cast<unsigned char>(bundle[i])} << 8 * i;
  }
  if (length > bundle.size() - length_bytes) return std::nullopt;
  const std::string_view message = bundle.substr(length_bytes, length);
  bundle.remove_prefix(length_bytes + length);
  return message;
}

}  // namespace

PeerTraffic::PeerTraffic(int rank, int size, Nanos now)
    : own_rank_(static_cast<std::size_t>(rank)), looked_at_(now), peers_(static_cast<std::size_t>(size), Peer{now}) {}

void PeerTraffic::post(Outgoing message) {
  const std::lock_guard lock(mutex_);
  const bool can_wait = message.tag == Tag::events;
  outbox_.push_back(std::move(message));
  if (can_wait) return;
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

bool PeerTraffic::may_go(const Outgoing& message) const {
  const auto to = static_cast<std::size_t>(message.to);
  if (silence_of(to) > held_back) return false;
  if (message.tag != Tag::events || closing_) return true;
  return !peers_[to].events_sent_at || looked_at_ - *peers_[to].events_sent_at >= bundled;
}

std::optional<Outgoing> PeerTraffic::next_to_send() {
  const std::lock_guard lock(mutex_);
  const auto first = std::ranges::find_if(outbox_, [this](const Outgoing& message) { return may_go(message); });
  if (first == outbox_.end()) return std::nullopt;
  Outgoing bundle{first->to, first->tag, {}};
  std::erase_if(outbox_, [&bundle](const Outgoing& message) {
    if (message.to != bundle.to || message.tag != bundle.tag || bundle.bytes.size() >= most_bundled) return false;
    append_to_bundle(message.bytes, bundle.bytes);
    return true;
  });
  if (bundle.tag == Tag::events) peers_[static_cast<std::size_t>(bundle.to)].events_sent_at = looked_at_;
  return bundle;
}

bool PeerTraffic::deliver(int from, Tag tag, std::string_view bundle) {
  const std::lock_guard lock(mutex_);
  while (!bundle.empty()) {
    const std::optional<std::string_view> message = take_from_bundle(bundle);
    if (!message) return false;
    inbox_[static_cast<std::size_t>(tag)].push_back({from, std::string(*message)});
  }
  return true;
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
