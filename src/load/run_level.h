#pragma once
// Plan -> RequestRecords over HTTP, by a single thread. It knows neither models nor statistics:
// what is asked it gets as bytes, when to stop it is told by the level's course.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/course.h"
#include "core/plan.h"
#include "core/record.h"
#include "net/address.h"
#include "net/time_source.h"
#include "net/tls.h"
#include "net/tunnel.h"
#include "wire/stream_format.h"

namespace loadline {

/// When a request is given up, in run (engine) time.
struct Timeouts {
  Nanos first_byte = std::chrono::seconds(300);  ///< from sent to the first byte of the head
  Nanos idle = std::chrono::seconds(120);        ///< between two reads
  Nanos total = std::chrono::seconds(900);       ///< from the release to the end of the answer
  Nanos connect = std::chrono::seconds(10);      ///< of one connect, TLS handshake included
};

/// Where requests go.
struct Destination {
  std::vector<Address> addresses;  ///< in order of preference; at least one
  std::string host;                ///< the Host header
  std::string path = "/v1/completions";
  std::optional<TlsSettings> tls;      ///< absent: plain
  std::string headers;                 ///< more header lines, each ending in CRLF (append_header in wire/)
  std::vector<std::string> secrets{};  ///< what of them no record's message may repeat (core/secrets.h)
  StreamFormat format = StreamFormat::openai;
  bool streamed = true;                     ///< false: the answer is one JSON body
  bool http2 = false;                       ///< from the first byte; one request at a time on a connection
  std::optional<Tunnel> tunnel{};           ///< `addresses` are a proxy's, and this leads through it
  std::vector<Address> source_addresses{};  ///< of this machine: connections come from each in turn; empty: any
};

/// Which of several destinations, replicas of one deployment, gets the next request.
enum class Balance : std::uint8_t {
  round_robin,        ///< each in turn
  least_outstanding,  ///< the one with the fewest of this client's requests in flight; of equals the next in turn
};

struct ClientSettings {
  Timeouts timeouts;
  Balance balance = Balance::round_robin;
  bool keep_texts = false;    ///< of the answers, in LevelRecords::texts
  std::uint32_t retries = 0;  ///< how often a request is sent again that was turned away before any output
};

/// Called when all connections are open; returns the instant at which the level starts.
using StartGate = std::function<RunTime()>;

/// Sends plans to its destinations. Its connections live on from level to level. One thread at a time.
class Client {
 public:
  /// At least one destination. `time` outlives the client. Raises this process's limit of open files.
  Client(std::vector<Destination> destinations, ClientSettings settings, TimeSource& time);
  Client(Destination destination, Timeouts timeouts, TimeSource& time)
      : Client(std::vector{std::move(destination)}, ClientSettings{.timeouts = timeouts}, time) {}
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Runs one level and blocks until the course says finished, the plan is used up and answered, or `interrupted`
  /// is set (then everything in flight is cancelled and records.state is "interrupted", else "complete").
  ///
  /// Closed loop (the plan's requests are due WhenUserFree): level.target users, each releases the next planned
  /// request the moment its last one ended. A user whose request was not connected or was cut before a byte of answer
  /// rests for 100 ms of wall time first; `due` stays the moment of release. As many connections are opened before the
  /// level starts, and level.ramp spreads the users' first releases.
  /// Open loop (AtOffset): due = level start + offset, whatever happened before; never re-anchored, never slowed. With
  /// level.max_in_flight what is due waits while so many are in flight; its due time stays, so the wait is in its
  /// latency, and records.client.held_back counts it. Conversations (AfterTurn), in both: due = the end of the turn
  /// before + pause, however that one ended; a user that rests first is due when it has rested. In a closed loop the
  /// user goes through its conversation before it takes another; requests that still wait for a turn when the level
  /// ends are not released.
  ///
  /// A request that was turned away before any output (429, 503 and other 5xx, not connected, cut) is sent again up to
  /// `retries` times, after Retry-After where the server says it, else after 0.5 s, doubled each time (wall). Its due,
  /// its sent and its total timeout stay those of the first attempt; its record is of the last.
  ///
  /// Fills `records` in order of release, one record per released request; while the level runs `records.requests` has
  /// the plan's size and does not move. `sent` is taken right before the bytes go to the kernel. A connect that a
  /// request has to wait for counts in its latency, not in records.client.send_lateness, which is what this
  /// client added by itself. Times in records.client are run time.
  /// `write_body` is called once a request with an empty body: ahead of the release, in idle moments of the loop, or
  /// right at the release when there was none.
  void run_level(const Plan& plan, LevelCourse& course, const BodyWriter& write_body, LevelRecords& records,
                 const std::atomic<bool>& interrupted, const StartGate& start_gate = {});

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace loadline
