#include "load/connection_pool.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::size_t openings_at_once = 64;

/// Connections come and go in one slot: the generation tells them apart in what the poller says.
std::uint64_t poll_key(const Exchange& exchange) { return (std::uint64_t{exchange.generation} << 32) | exchange.slot; }

}  // namespace

ConnectionPool::ConnectionPool(const std::vector<Destination>& destinations, Balance balance, TimeSource& time)
    : destinations_(destinations), balance_(balance), time_(time), sides_(destinations.size()) {
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    if (destinations[i].tls) sides_[i].tls.emplace(*destinations[i].tls);
  }
}

std::size_t ConnectionPool::choose_destination() {
  std::size_t chosen = next_destination_;
  if (balance_ == Balance::least_outstanding) {
    for (std::size_t step = 1; step < sides_.size(); ++step) {
      const std::size_t other = (next_destination_ + step) % sides_.size();
      if (sides_[other].outstanding < sides_[chosen].outstanding) chosen = other;
    }
  }
  next_destination_ = (chosen + 1) % sides_.size();
  return chosen;
}

Exchange* ConnectionPool::exchange_of(std::uint64_t key) {
  const std::size_t slot = key & 0xffffffffu;
  if (slot >= exchanges_.size()) return nullptr;
  Exchange& exchange = *exchanges_[slot];
  return exchange.connection && poll_key(exchange) == key ? &exchange : nullptr;
}

void ConnectionPool::start(Exchange& exchange) {
  ++exchange.generation;
  exchange.waited = false;
  exchange.transmitted = false;
  exchange.connect_started = time_.now();
  const Destination& destination = destinations_[exchange.destination];
  const std::optional<TlsContext>& tls = sides_[exchange.destination].tls;
  const std::vector<Address>& sources = destination.source_addresses;
  exchange.connection.emplace(destination.addresses[exchange.address], tls ? &*tls : nullptr,
                              destination.tunnel ? &*destination.tunnel : nullptr,
                              sources.empty() ? nullptr : &sources[started_++ % sources.size()]);
  exchange.http2.reset();
  if (destination.http2) exchange.http2.emplace();
  exchange.watches_write = true;
  if (exchange.connection->failed()) return;
  poller_.add(exchange.connection->fd(), poll_key(exchange), {.read = true, .write = true});
}

Exchange& ConnectionPool::take() {
  const std::size_t destination = choose_destination();
  Side& side = sides_[destination];
  Exchange* exchange = nullptr;
  if (side.idle.empty()) {
    exchange = &open_new(destination);
  } else {
    exchange = exchanges_[side.idle.back()].get();
    side.idle.pop_back();
    exchange->idle = false;
    exchange->waited = true;
    exchange->transmitted = false;
  }
  ++side.outstanding;
  exchange->taken = true;
  return *exchange;
}

Exchange& ConnectionPool::open_new(std::size_t destination) {
  if (empty_.empty()) {
    exchanges_.push_back(std::make_unique<Exchange>());
    exchanges_.back()->slot = exchanges_.size() - 1;
    empty_.push_back(exchanges_.size() - 1);
  }
  Exchange& exchange = *exchanges_[empty_.back()];
  empty_.pop_back();
  exchange.destination = destination;
  exchange.address = sides_[destination].preferred_address;
  start(exchange);
  return exchange;
}

void ConnectionPool::reopen(Exchange& exchange, bool next_address) {
  if (next_address && has_next_address(exchange)) ++exchange.address;
  start(exchange);
}

void ConnectionPool::keep(Exchange& exchange) {
  check(!exchange.serial && !exchange.idle && exchange.connection, "a kept connection has no request");
  exchange.idle = true;
  give_back(exchange);
  sides_[exchange.destination].idle.push_back(exchange.slot);
}

void ConnectionPool::give_back(Exchange& exchange) {
  if (exchange.taken) --sides_[exchange.destination].outstanding;
  exchange.taken = false;
}

void ConnectionPool::close(Exchange& exchange) {
  if (exchange.idle) std::erase(sides_[exchange.destination].idle, exchange.slot);
  exchange.idle = false;
  give_back(exchange);
  exchange.connection.reset();
  exchange.http2.reset();
  empty_.push_back(exchange.slot);
}

void ConnectionPool::watch(Exchange& exchange) {
  Connection& connection = *exchange.connection;
  if (connection.failed() || connection.wants_write() == exchange.watches_write) return;
  exchange.watches_write = connection.wants_write();
  poller_.modify(connection.fd(), poll_key(exchange), {.read = true, .write = exchange.watches_write});
}

/// What comes without being asked for: TLS tickets, and what HTTP/2 says of the connection, are no reason to close it;
/// an end of file, or bytes of HTTP/1.1, are.
bool ConnectionPool::stays_idle(Exchange& exchange) {
  Connection& connection = *exchange.connection;
  idle_buffer_.resize(Connection::read_size);
  connection.progress();
  const IoResult result = connection.read(idle_buffer_);
  if (result.state == Io::done) {
    if (!exchange.http2) return false;
    std::string_view bytes(idle_buffer_.data(), result.bytes);
    while (!bytes.empty() && !exchange.http2->failed()) exchange.http2->feed(bytes);
    if (!exchange.http2->reusable()) return false;
    send_frames(exchange);
  } else if (result.state != Io::would_block) {
    return false;
  }
  watch(exchange);
  return !connection.failed();
}

void ConnectionPool::send_frames(Exchange& exchange) {
  frames_.clear();
  exchange.http2->take_output(frames_);
  if (!frames_.empty() && exchange.connection->is_open()) exchange.connection->send(frames_, {});
}

void ConnectionPool::wait(std::optional<Nanos> timeout, std::vector<ReadyExchange>& ready) {
  ready.clear();
  poller_.wait(timeout, polled_);
  for (const Ready& event : polled_) {
    Exchange* exchange = exchange_of(event.key);
    if (exchange == nullptr) continue;
    if (exchange->idle) {
      if (!stays_idle(*exchange)) close(*exchange);
      continue;
    }
    Connection& connection = *exchange->connection;
    if (event.writable || !connection.is_open()) connection.progress();
    watch(*exchange);
    ready.push_back({exchange, event.readable});
  }
}

/// Sorts out the openings that have come to an end.
void ConnectionPool::settle_openings(std::vector<Exchange*>& openings, bool& failed) {
  std::erase_if(openings, [&](Exchange* exchange) {
    if (exchange->connection->failed() && has_next_address(*exchange)) reopen(*exchange, true);
    if (exchange->connection->failed()) {
      failed = true;
      close(*exchange);
      return true;
    }
    if (!exchange->connection->is_open()) return false;
    prefer_address_of(*exchange);
    keep(*exchange);
    return true;
  });
}

std::optional<std::size_t> ConnectionPool::least_opened(std::size_t wanted,
                                                        const std::vector<Exchange*>& openings) const {
  std::optional<std::size_t> least;
  std::size_t fewest = wanted;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const auto opening =
        std::ranges::count(openings, i, [](const Exchange* exchange) { return exchange->destination; });
    const std::size_t opened = sides_[i].idle.size() + static_cast<std::size_t>(opening);
    if (opened >= fewest) continue;
    fewest = opened;
    least = i;
  }
  return least;
}

void ConnectionPool::open_ahead(std::size_t wanted, Nanos patience, const std::atomic<bool>& interrupted) {
  std::vector<ReadyExchange> ready;
  wait(Nanos(0), ready);  // drops idle connections that the server has closed meanwhile
  const std::size_t wanted_of_each = (wanted + sides_.size() - 1) / sides_.size();
  std::vector<Exchange*> openings;
  const RunTime begun = time_.now();
  bool failed = false;
  while (!failed && !interrupted && time_.wall(time_.now() - begun) < patience) {
    while (openings.size() < openings_at_once) {
      const std::optional<std::size_t> destination = least_opened(wanted_of_each, openings);
      if (!destination) break;
      openings.push_back(&open_new(*destination));
    }
    if (openings.empty()) break;
    settle_openings(openings, failed);
    if (!openings.empty()) wait(std::chrono::milliseconds(10), ready);
    settle_openings(openings, failed);
  }
  for (Exchange* exchange : openings) close(*exchange);
}

}  // namespace loadline
