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
  ConnectionPool(const std::vector<Destination>& destinations, Balance balance, TimeSource& time);

  /// An exchange for the next request, to the destination whose turn it is: with an idle open connection, the most
  /// recently used one (the least likely to be stale), else with one that has just been started (it may have failed
  /// already).
  Exchange& take();
  /// Replaces the exchange's connection by a new one. The next address when `next_address` and there is one.
  void reopen(Exchange& exchange, bool next_address = false);
  bool has_next_address(const Exchange& exchange) const {
    return exchange.address + 1 < destinations_[exchange.destination].addresses.size();
  }
  /// The exchange has no request any more: its open connection waits for the next.
  void keep(Exchange& exchange);
  /// The exchange has no request any more: closes its connection and forgets it.
  void close(Exchange& exchange);
  /// Remembers that this address answers.
  void prefer_address_of(const Exchange& exchange) {
    sides_[exchange.destination].preferred_address = exchange.address;
  }

  /// Waits up to `timeout` of wall time and goes on with connects, handshakes and unsent bytes. Tells what else is
  /// ready; an exchange is told once. Idle connections that the server has closed are closed here.
  void wait(std::optional<Nanos> timeout, std::vector<ReadyExchange>& ready);
  /// Lets wall time pass and looks at nothing.
  void rest(Nanos span) { poller_.rest(span); }
  /// Sends what the exchange's HTTP/2 has to say.
  void send_frames(Exchange& exchange);
  /// Asks to be told when unsent bytes can go; call after a send.
  void watch(Exchange& exchange);

  /// Opens connections ahead until `wanted` are idle, as many to each destination, some at a time; stops at the first
  /// failure, at `interrupted` or after `patience` of wall time. Failing is not an error here: requests will tell.
  void open_ahead(std::size_t wanted, Nanos patience, const std::atomic<bool>& interrupted);

  /// Every exchange with a request.
  template <class Use>
  void for_each_active(Use use) {
    for (const std::unique_ptr<Exchange>& exchange : exchanges_) {
      if (exchange->serial) use(*exchange);
    }
  }

 private:
  /// What belongs to one destination.
  struct Side {
    std::optional<TlsContext> tls;
    std::vector<std::size_t> idle;  ///< slots with an open connection and no request
    std::size_t preferred_address = 0;
    std::size_t outstanding = 0;  ///< exchanges that were taken and not given back
  };

  std::size_t choose_destination();
  Exchange& open_new(std::size_t destination);
  void start(Exchange& exchange);
  void give_back(Exchange& exchange);
  Exchange* exchange_of(std::uint64_t key);
  bool stays_idle(Exchange& exchange);
  void settle_openings(std::vector<Exchange*>& openings, bool& failed);
  /// The destination with the fewest idle and opening connections, where one has fewer than `wanted`.
  std::optional<std::size_t> least_opened(std::size_t wanted, const std::vector<Exchange*>& openings) const;

  const std::vector<Destination>& destinations_;
  Balance balance_;
  TimeSource& time_;
  Poller poller_;
  std::vector<Side> sides_;  ///< by destination
  std::size_t next_destination_ = 0;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::vector<std::size_t> empty_;  ///< slots without a connection
  std::vector<Ready> polled_;
  std::vector<char> idle_buffer_;
  std::string frames_;
  std::size_t started_ = 0;  ///< connections so far: whose turn it is among the source addresses
};

}  // namespace loadline
