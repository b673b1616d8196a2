// One thread does everything, in rounds: ask the course for the phase; release what is due; sleep until something
// is ready or due; read each ready connection once (the poller is level-triggered: what is left comes again in
// the next round); give up what is overdue. Nothing acts inside a callback, and a release never waits for anything:
// a schedule that slips shows in `sent - due` and is never moved.
//
// Deadlines cost nothing per token: a read only moves a deadline later, so the earliest one ever computed is a lower
// bound, and all are computed anew only when that bound has passed.
#include "load/level_loop.h"

#include <sys/resource.h>

#include <algorithm>

#include "core/error.h"
#include "wire/http_request.h"

namespace loadline {
namespace {

constexpr Nanos longest_sleep = std::chrono::milliseconds(50);  // wall: `interrupted` is looked at that often
constexpr Nanos wall_settle_grace = std::chrono::seconds(1);
constexpr Nanos wall_rest = std::chrono::milliseconds(100);  // of a user that found no server
constexpr std::size_t most_prepared = 512;
constexpr std::size_t most_releases_in_a_row = 256;
// So many streams keep a thread awake for every event. Bytes that gather for a while cost a quarter less, and lose
// nothing while the kernel stamps each of them.
constexpr std::size_t streams_worth_gathering = 256;
constexpr Nanos gathering_span = std::chrono::microseconds(500);  // wall

std::size_t bodies_ahead(const Level& level) {
  const double per_level = level.kind == LevelKind::concurrency ? 2 * level.target : 2 * level.target + 16;
  return std::clamp<std::size_t>(static_cast<std::size_t>(per_level), 4, most_prepared);
}

double thread_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto seconds_of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

}  // namespace

LevelLoop::LevelLoop(LoopParts parts, const Plan& plan, LevelCourse& course, const BodyWriter& write_body,
                     LevelRecords& records, const std::atomic<bool>& interrupted)
    : parts_(parts),
      plan_(plan),
      course_(course),
      records_(records),
      interrupted_(interrupted),
      releases_(plan, users_of(plan.level)),
      bodies_(plan, write_body, bodies_ahead(plan.level)),
      retries_(parts.settings.retries, run_span(parts.time, std::chrono::seconds(1))),
      settle_grace_(run_span(parts.time, wall_settle_grace)),
      rest_(run_span(parts.time, wall_rest)) {}

void LevelLoop::prepare() {
  const RunTime now = parts_.time.now();
  while (bodies_.wants_more(now) && !interrupted_) bodies_.prepare_one(now);
}

void LevelLoop::run(RunTime start) {
  while (parts_.time.now() < start && !interrupted_) {
    parts_.pool.rest(std::min(parts_.time.wall(start - parts_.time.now()), longest_sleep));
  }
  const double cpu_before = thread_cpu_seconds();
  const bool stepped_before = parts_.time.clock_stepped();
  records_.started = start;
  releases_.start(records_.started);
  course_.start(records_, records_.started);
  RunTime awake = records_.started;
  while (go_on()) {
    retry_due();
    release_due();
    if (phase_ == Phase::finished) break;
    loop_turn_.record(parts_.time.now() - awake);
    awake = wait_and_read();
    give_up_overdue();
  }
  cancel_all();
  records_.ended = parts_.time.now();
  records_.window_start = course_.window_start();
  records_.window_end = course_.window_end();
  records_.state = interrupted_ ? "interrupted" : "complete";
  records_.requests.resize(releases_.released());
  fill_client_self(cpu_before);
  records_.client.clock_stepped = parts_.time.clock_stepped() && !stepped_before;
}

bool LevelLoop::go_on() {
  if (interrupted_) return false;
  const RunTime now = parts_.time.now();
  phase_ = course_.phase(now);
  if (phase_ == Phase::finished) return false;
  if (in_flight_ > 0) return true;
  if (phase_ == Phase::draining) return false;
  if (!releases_.exhausted()) return true;
  // Nothing will happen any more. A window that closes by time is waited for, within reason.
  if (!idle_since_) idle_since_ = now;
  return course_.wake_at().has_value() && now < *idle_since_ + parts_.settings.timeouts.total;
}

void LevelLoop::release_due() {
  more_due_ = false;
  for (std::size_t i = 0; phase_ < Phase::draining && !is_full(); ++i) {
    const std::optional<Release> release = releases_.take(parts_.time.now());
    if (!release) return;
    launch(*release);
    announce_turn_after(release->plan_index);
    phase_ = course_.phase(parts_.time.now());
    // An open loop that is late has a long row of requests due: the sockets must have their turn all the same.
    more_due_ = i + 1 == most_releases_in_a_row;
    if (more_due_) return;
  }
}

/// Whether as many are in flight as the level allows: what is due waits.
bool LevelLoop::is_full() const { return plan_.level.max_in_flight > 0 && in_flight_ >= plan_.level.max_in_flight; }

/// After the send, which waits for nothing.
void LevelLoop::announce_turn_after(std::uint32_t plan_index) {
  const std::optional<std::uint32_t> turn = releases_.turn_after(plan_index);
  if (turn) bodies_.announce(*turn, parts_.time.now() + std::get<AfterTurn>(plan_.requests[*turn].due).pause);
}

void LevelLoop::launch(const Release& release) {
  RequestRecord& record = records_.requests[release.serial];
  begin_record(release, plan_, course_, record);
  ++in_flight_;
  const RunTime now = parts_.time.now();
  course_.released(release.serial, now);
  put_on_connection(release.serial, bodies_.take(release.plan_index), now, 0);
}

/// `retries`: attempts of this request that failed before.
void LevelLoop::put_on_connection(std::uint32_t serial, std::string body, RunTime released, std::uint32_t retries) {
  RequestRecord& record = records_.requests[serial];
  Exchange& exchange = parts_.pool.take();
  exchange.serial = serial;
  exchange.body = std::move(body);
  exchange.released = released;
  exchange.retries = retries;
  exchange.reconnected = false;
  exchange.held = full_until_ && *record.due <= *full_until_;
  if (exchange.held && retries == 0) ++records_.client.held_back;
  exchange.settled.reset();
  exchange.seen_first_token = false;
  const Destination& destination = parts_.destinations[exchange.destination];
  // Room for gaps comes as they come, by doubling: thousands of streams do not hold what each may need one day.
  exchange.answer.begin({destination.format, destination.streamed, parts_.settings.keep_texts});
  if (exchange.waited) return transmit(exchange);
  note_lateness(exchange, parts_.time.now());  // what the connect takes is not this client's delay
  if (exchange.connection->failed()) return on_connect_failed(exchange, exchange.connection->problem());
  note_deadline(exchange);
}

void LevelLoop::transmit(Exchange& exchange) {
  Connection& connection = *exchange.connection;
  exchange.handed_before = connection.bytes_handed();
  exchange.transmitted = true;
  const RunTime before = parts_.time.now();
  exchange.last_read = before;
  send_request(exchange);
  if (exchange.waited) note_lateness(exchange, before);
  note_sent(exchange, before);
  if (connection.failed()) return on_broken(exchange, connection.problem());
  parts_.pool.watch(exchange);
  note_deadline(exchange);
}

void LevelLoop::send_request(Exchange& exchange) {
  const Destination& destination = parts_.destinations[exchange.destination];
  if (exchange.http2) {
    exchange.http2->submit({.method = "POST",
                            .scheme = destination.tls ? "https" : "http",
                            .authority = destination.host,
                            .path = destination.path,
                            .headers = destination.headers,
                            .body = exchange.body});
    return parts_.pool.send_frames(exchange);
  }
  head_.clear();
  append_request_head(head_, "POST", destination.path, destination.host, destination.headers, exchange.body.size());
  exchange.connection->send(head_, exchange.body);
}

/// Of a first attempt that was not held back: how late this client is by itself.
void LevelLoop::note_lateness(const Exchange& exchange, RunTime at) {
  if (exchange.retries == 0 && !exchange.reconnected && !exchange.held) {
    send_lateness_.record(at - *record_of(exchange).due);
  }
}

void LevelLoop::note_sent(Exchange& exchange, RunTime at) {
  RequestRecord& record = record_of(exchange);
  if (!record.sent && exchange.connection->bytes_handed() > exchange.handed_before) record.sent = at;
}

Nanos LevelLoop::time_to_sleep() const {
  RunTime until = earliest_deadline_;
  if (phase_ < Phase::draining) {
    const std::optional<RunTime> due = releases_.next_due();
    if (due && !is_full()) until = std::min(until, *due);
  }
  if (const std::optional<RunTime> wake = course_.wake_at()) until = std::min(until, *wake);
  if (const std::optional<RunTime> retry = retries_.next_due()) until = std::min(until, *retry);
  if (until == RunTime::max()) return longest_sleep;
  return std::clamp(parts_.time.wall(until - parts_.time.now()), Nanos(0), longest_sleep);
}

/// Lets bytes of many streams gather, where their stamps come from the kernel.
void LevelLoop::gather() {
  // The first reads of a run may lack a stamp: the kernel turns them on lazily.
  if (in_flight_ < streams_worth_gathering || !last_read_stamped_) return;
  parts_.pool.rest(std::min(gathering_span, time_to_sleep()));
}

RunTime LevelLoop::wait_and_read() {
  // A body is rendered only when a look at the sockets finds nothing to do.
  const bool may_prepare = phase_ < Phase::draining && bodies_.wants_more(parts_.time.now());
  if (!may_prepare && !more_due_) gather();
  parts_.pool.wait(may_prepare || more_due_ ? Nanos(0) : time_to_sleep(), ready_);
  const RunTime awake = parts_.time.now();
  read_ready();
  if (may_prepare && ready_.empty()) bodies_.prepare_one(awake);
  return awake;
}

RunTime LevelLoop::deadline_of(const Exchange& exchange) const {
  const Timeouts& timeouts = parts_.settings.timeouts;
  if (!exchange.transmitted) return exchange.connect_started + timeouts.connect;
  const RunTime silent = exchange.last_read + (exchange.answer.any_byte() ? timeouts.idle : timeouts.first_byte);
  const RunTime last = exchange.settled ? *exchange.settled + settle_grace_ : exchange.released + timeouts.total;
  return std::min(silent, last);
}

void LevelLoop::note_deadline(const Exchange& exchange) {
  earliest_deadline_ = std::min(earliest_deadline_, deadline_of(exchange));
}

void LevelLoop::give_up_overdue() {
  const RunTime now = parts_.time.now();
  if (now < earliest_deadline_) return;
  earliest_deadline_ = RunTime::max();
  parts_.pool.for_each_active([&](Exchange& exchange) {
    if (deadline_of(exchange) <= now) {
      give_up(exchange, now);
    } else {
      note_deadline(exchange);
    }
  });
}

void LevelLoop::give_up(Exchange& exchange, RunTime now) {
  if (!exchange.transmitted) return on_connect_failed(exchange, "not connected within the connect timeout");
  AnswerEnd end = exchange.answer.any_byte() ? AnswerEnd::idle_timeout : AnswerEnd::no_first_byte;
  if (now >= exchange.released + parts_.settings.timeouts.total) end = AnswerEnd::total_timeout;
  finish(exchange, end, {});
}

void LevelLoop::fill_client_self(double cpu_before) {
  ClientSelf& self = records_.client;
  self.send_lateness_p50_ms = send_lateness_.quantile_ms(0.50);
  self.send_lateness_p99_ms = send_lateness_.quantile_ms(0.99);
  self.send_lateness_max_ms = send_lateness_.max_ms();
  self.read_lateness_p50_ms = read_lateness_.quantile_ms(0.50);
  self.read_lateness_p99_ms = read_lateness_.quantile_ms(0.99);
  self.read_lateness_max_ms = read_lateness_.max_ms();
  const double wall = seconds(parts_.time.wall(records_.ended - records_.started));
  if (wall > 0) self.cpu_share = std::min(1.0, (thread_cpu_seconds() - cpu_before) / wall);
  if (self.cpu_share) self.thread_cpu_shares = {*self.cpu_share};
  self.loop_turn_p99_ms = loop_turn_.quantile_ms(0.99);
  self.loop_turn_max_ms = loop_turn_.max_ms();
}

}  // namespace loadline
