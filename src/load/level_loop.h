#pragma once
// The loop of one level: release, send, read, give up, until the course says finished.

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/course.h"
#include "core/releases.h"
#include "load/connection_pool.h"
#include "load/lateness.h"
#include "load/prepared_bodies.h"
#include "load/retries.h"
#include "load/run_level.h"
#include "wire/stream_event.h"

namespace loadline {

/// What the levels of one client share.
struct LoopParts {
  const std::vector<Destination>& destinations;
  const ClientSettings& settings;
  TimeSource& time;
  ConnectionPool& pool;
  StreamEventReader& reader;
  std::vector<char>& buffer;                ///< the bytes of some reads
  const std::vector<std::string>& secrets;  ///< never to appear in a message
};

class LevelLoop {
 public:
  /// All outlive the loop.
  LevelLoop(LoopParts parts, const Plan& plan, LevelCourse& course, const BodyWriter& write_body, LevelRecords& records,
            const std::atomic<bool>& interrupted);
  /// Renders the bodies of the first wave. Before `run`, which starts the level's clock.
  void prepare();
  /// From the level's start, for which it waits, to its end. Call once.
  void run(RunTime start);

 private:
  /// What one read of a connection brought, and when.
  struct BytesRead {
    Exchange* exchange = nullptr;
    IoResult result;
    RunTime seen{};
    std::string_view bytes;  ///< in parts_.buffer
  };

  bool go_on();
  void release_due();
  bool is_full() const;
  void launch(const Release& release);
  void put_on_connection(std::uint32_t serial, std::string body, RunTime released, std::uint32_t retries);
  void retry_due();
  bool retry_later(Exchange& exchange, RunTime now);
  void announce_turn_after(std::uint32_t plan_index);
  void transmit(Exchange& exchange);
  void send_request(Exchange& exchange);
  Nanos time_to_sleep() const;
  void gather();
  /// Returns when it woke.
  RunTime wait_and_read();

  void read_ready();
  bool is_to_be_read(Exchange& exchange, bool readable);
  void on_read(const BytesRead& read);
  void on_bytes(Exchange& exchange, const BytesRead& read);
  bool on_frames(Exchange& exchange, std::string_view bytes, Arrival arrival, RequestRecord& record);
  void on_connect_failed(Exchange& exchange, std::string why);
  void on_broken(Exchange& exchange, std::string_view why);
  void note_sent(Exchange& exchange, RunTime at);
  void note_lateness(const Exchange& exchange, RunTime at);

  RunTime deadline_of(const Exchange& exchange) const;
  void note_deadline(const Exchange& exchange);
  void give_up_overdue();
  void give_up(Exchange& exchange, RunTime now);

  void finish(Exchange& exchange, AnswerEnd end, std::string_view why);
  void end_request(Exchange& exchange, bool keep_connection);
  void keep_text(const Exchange& exchange);
  void leave_connection(Exchange& exchange, bool keep_connection);
  void cancel_all();
  void cancel(Exchange& exchange, RunTime now);
  void fill_client_self(double cpu_before);
  RequestRecord& record_of(const Exchange& exchange) { return records_.requests[*exchange.serial]; }

  LoopParts parts_;
  const Plan& plan_;
  LevelCourse& course_;
  LevelRecords& records_;
  const std::atomic<bool>& interrupted_;
  Releases releases_;
  PreparedBodies bodies_;

  Phase phase_ = Phase::warming_up;
  std::size_t in_flight_ = 0;
  bool last_read_stamped_ = false;     ///< by the kernel
  bool more_due_ = false;              ///< the last round released what it may at once, and others wait
  std::optional<RunTime> full_until_;  ///< when as many as may be were last in flight
  Retries retries_;
  std::optional<RunTime> idle_since_;           ///< the plan is used up and answered: only the course's clock runs
  RunTime earliest_deadline_ = RunTime::max();  ///< no exchange is overdue before it
  Nanos settle_grace_{}, rest_{};
  std::vector<ReadyExchange> ready_;
  std::vector<BytesRead> reads_;
  std::string head_;
  Lateness send_lateness_, read_lateness_, loop_turn_;
};

}  // namespace loadline
