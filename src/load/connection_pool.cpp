#include "load/connection_pool.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::size_t openings_at_once = 64;

/// Connections come and go in one slot: the generation tells them apart in what the poller says.
std::uint64_t poll_key(const Exchange& exchange) { return (std::uint64_t{exchange.generation} << 32) | exchange.slot; }

}  // namespace

ConnectionPool::ConnectionPool(const Destination& destination, TimeSource& time)
    : destination_(destination), time_(time) {
  if (destination.tls) tls_.emplace(*destination.tls);
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
  exchange.connection.emplace(destination_.addresses[exchange.address], tls_ ? &*tls_ : nullptr);
  exchange.watches_write = true;
  if (exchange.connection->failed()) return;
  poller_.add(exchange.connection->fd(), poll_key(exchange), {.read = true, .write = true});
}

Exchange* ConnectionPool::take_idle() {
  if (idle_.empty()) return nullptr;
  Exchange& exchange = *exchanges_[idle_.back()];
  idle_.pop_back();
  exchange.idle = false;
  exchange.waited = true;
  exchange.transmitted = false;
  return &exchange;
}

Exchange& ConnectionPool::open_new() {
  if (empty_.empty()) {
    exchanges_.push_back(std::make_unique<Exchange>());
    exchanges_.back()->slot = exchanges_.size() - 1;
    empty_.push_back(exchanges_.size() - 1);
  }
  Exchange& exchange = *exchanges_[empty_.back()];
  empty_.pop_back();
  exchange.address = preferred_address_;
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
  idle_.push_back(exchange.slot);
}

void ConnectionPool::close(Exchange& exchange) {
  if (exchange.idle) std::erase(idle_, exchange.slot);
  exchange.idle = false;
  exchange.connection.reset();
  empty_.push_back(exchange.slot);
}

void ConnectionPool::watch(Exchange& exchange) {
  Connection& connection = *exchange.connection;
  if (connection.failed() || connection.wants_write() == exchange.watches_write) return;
  exchange.watches_write = connection.wants_write();
  poller_.modify(connection.fd(), poll_key(exchange), {.read = true, .write = exchange.watches_write});
}

void ConnectionPool::wait(std::optional<Nanos> timeout, std::vector<ReadyExchange>& ready) {
  ready.clear();
  poller_.wait(timeout, polled_);
  for (const Ready& event : polled_) {
    Exchange* exchange = exchange_of(event.key);
    if (exchange == nullptr) continue;
    if (exchange->idle) {  // an end of file, or bytes nobody asked for
      close(*exchange);
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

void ConnectionPool::open_ahead(std::size_t wanted, Nanos patience, const std::atomic<bool>& interrupted) {
  std::vector<ReadyExchange> ready;
  wait(Nanos(0), ready);  // drops idle connections that the server has closed meanwhile
  std::vector<Exchange*> openings;
  const RunTime begun = time_.now();
  bool failed = false;
  while (!failed && !interrupted && idle_.size() < wanted && time_.wall(time_.now() - begun) < patience) {
    while (openings.size() < openings_at_once && idle_.size() + openings.size() < wanted) {
      openings.push_back(&open_new());
    }
    settle_openings(openings, failed);
    if (!openings.empty()) wait(std::chrono::milliseconds(10), ready);
    settle_openings(openings, failed);
  }
  for (Exchange* exchange : openings) close(*exchange);
}

}  // namespace loadline
