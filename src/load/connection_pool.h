#pragma once
// The client's connections: opened, watched, kept alive from request to request and from level to level.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "load/exchange.h"
#include "load/run_level.h"
#include "net/poller.h"

namespace loadline {

/// What is ready, by exchange.
struct ReadyExchange {
  Exchange* exchange = nullptr;
  bool readable = false;
};

class ConnectionPool {
 public:
  /// All outlive the pool.
  ConnectionPool(const Destination& destination, TimeSource& time);

  /// An exchange with an idle open connection, the most recently used one (the least likely to be stale); none: null.
  Exchange* take_idle();
  /// An exchange whose connection has just been started (it may have failed already).
  Exchange& open_new();
  /// Replaces the exchange's connection by a new one. The next address when `next_address` and there is one.
  void reopen(Exchange& exchange, bool next_address = false);
  bool has_next_address(const Exchange& exchange) const { return exchange.address + 1 < destination_.addresses.size(); }
  /// The exchange has no request any more: its open connection waits for the next.
  void keep(Exchange& exchange);
  /// The exchange has no request any more: closes its connection and forgets it.
  void close(Exchange& exchange);
  /// Remembers that this address answers.
  void prefer_address_of(const Exchange& exchange) { preferred_address_ = exchange.address; }

  /// Waits up to `timeout` of wall time and goes on with connects, handshakes and unsent bytes. Tells what else is
  /// ready; an exchange is told once. Idle connections on which anything happens are closed here.
  void wait(std::optional<Nanos> timeout, std::vector<ReadyExchange>& ready);
  /// Asks to be told when unsent bytes can go; call after a send.
  void watch(Exchange& exchange);

  /// Opens connections ahead until `wanted` are idle, some at a time; stops at the first failure, at `interrupted`
  /// or after `patience` of wall time. Failing is not an error here: requests will tell.
  void open_ahead(std::size_t wanted, Nanos patience, const std::atomic<bool>& interrupted);

  /// Every exchange with a request.
  template <class Use>
  void for_each_active(Use use) {
    for (const std::unique_ptr<Exchange>& exchange : exchanges_) {
      if (exchange->serial) use(*exchange);
    }
  }

 private:
  void start(Exchange& exchange);
  Exchange* exchange_of(std::uint64_t key);
  void settle_openings(std::vector<Exchange*>& openings, bool& failed);

  const Destination& destination_;
  std::optional<TlsContext> tls_;
  TimeSource& time_;
  Poller poller_;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::vector<std::size_t> idle_;   ///< slots with an open connection and no request
  std::vector<std::size_t> empty_;  ///< slots without a connection
  std::vector<Ready> polled_;
  std::size_t preferred_address_ = 0;
};

}  // namespace loadline
