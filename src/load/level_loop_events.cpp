// What happens to a request on its connection: connected, answered, broken, ended, cancelled. The rounds of the loop
// are in level_loop.cpp.
#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/secrets.h"
#include "load/level_loop.h"

namespace loadline {
namespace {

// So many that they and what they bring stay in the first caches.
constexpr std::size_t most_reads_in_a_row = 32;
constexpr std::size_t most_bytes_in_a_row = 16 * 1024;

/// Whether the request came to nothing at all: not connected, no socket to be had, or cut before a byte of answer.
bool found_no_server(const RequestRecord& record) {
  const bool cut_at_once = record.outcome == Outcome::connection_cut && !record.first_byte;
  return cut_at_once || record.outcome == Outcome::connect_failed || record.outcome == Outcome::unsent;
}

}  // namespace

/// First reads of many connections, then what they brought: the kernel's code and ours would else drive each other out
/// of the caches at every token.
void LevelLoop::read_ready() {
  for (auto next = ready_.begin(); next != ready_.end();) {
    reads_.clear();
    std::size_t used = 0;
    for (; next != ready_.end() && reads_.size() < most_reads_in_a_row && used < most_bytes_in_a_row; ++next) {
      Exchange& exchange = *next->exchange;
      if (!is_to_be_read(exchange, next->readable)) continue;
      const IoResult result = exchange.connection->read(std::span(parts_.buffer).subspan(used));
      reads_.push_back({&exchange, result, parts_.time.now(), {parts_.buffer.data() + used, result.bytes}});
      used += result.bytes;
    }
    for (const BytesRead& read : reads_) on_read(read);
  }
}

/// Goes on with what a ready connection waits for besides reading.
bool LevelLoop::is_to_be_read(Exchange& exchange, bool readable) {
  check(exchange.serial.has_value(), "a watched connection is idle or has a request");
  const Connection& connection = *exchange.connection;
  if (!exchange.transmitted) {
    if (connection.failed()) {
      on_connect_failed(exchange, connection.problem());
    } else if (connection.is_open()) {
      parts_.pool.prefer_address_of(exchange);
      transmit(exchange);
    }
    return false;
  }
  if (!record_of(exchange).sent) note_sent(exchange, parts_.time.now());
  // Also after a failed write: the server may have answered before it closed.
  return readable || connection.failed();
}

void LevelLoop::on_read(const BytesRead& read) {
  Exchange& exchange = *read.exchange;
  const Connection& connection = *exchange.connection;
  switch (read.result.state) {
    case Io::done:
      return on_bytes(exchange, read);
    case Io::failed:
      return on_broken(exchange, connection.problem());
    case Io::closed:
      if (exchange.answer.on_end_of_input(parts_.reader, record_of(exchange)))
        return finish(exchange, AnswerEnd::complete, {});
      return on_broken(exchange, "the server closed the connection before the answer was complete");
    case Io::would_block:
      if (connection.failed()) on_broken(exchange, connection.problem());
      return;
  }
}

void LevelLoop::on_bytes(Exchange& exchange, const BytesRead& read) {
  RequestRecord& record = record_of(exchange);
  const RunTime seen = read.seen;
  Arrival arrival{seen, Stamp::user};
  ++records_.client.reads;
  if (read.result.received) {
    // The conversion between the clocks may be off by a little, a stamp from before a step of the clock by a lot.
    const RunTime stamped = parts_.time.from_realtime(*read.result.received);
    arrival = {std::clamp(stamped, std::min(record.sent.value_or(seen), seen), seen), Stamp::kernel};
    read_lateness_.record(seen - arrival.at);
    ++records_.client.stamped_reads;
  }
  last_read_stamped_ = read.result.received.has_value();
  const bool is_first = !exchange.answer.any_byte();
  exchange.last_read = seen;
  const std::uint32_t events_before = record.events;
  const bool over = exchange.http2 ? on_frames(exchange, read.bytes, arrival, record)
                                   : exchange.answer.on_bytes(read.bytes, arrival, parts_.reader, record);
  const std::uint32_t new_events = record.events - events_before;
  records_.client.output_events += new_events;
  if (new_events > 1) ++records_.client.coalesced_reads;
  if (record.first_token && !exchange.seen_first_token) {
    exchange.seen_first_token = true;
    bodies_.give_back(std::exchange(exchange.body, {}));  // nothing with output is sent again
    course_.first_token(record.serial, parts_.time.now());
  }
  if (over) return finish(exchange, AnswerEnd::complete, {});
  if (exchange.http2 && exchange.http2->failed()) return on_broken(exchange, exchange.http2->problem());
  // Only these two bring a deadline forward: the idle timeout takes over, or only the framing's end is missing.
  const bool is_settled_now = exchange.answer.settled() && !exchange.settled;
  if (is_settled_now) exchange.settled = seen;
  if (is_first || is_settled_now) note_deadline(exchange);
}

/// HTTP/2's part of on_bytes. True when the answer is over.
bool LevelLoop::on_frames(Exchange& exchange, std::string_view bytes, Arrival arrival, RequestRecord& record) {
  Http2Exchange& http2 = *exchange.http2;
  bool over = false;
  while (!bytes.empty() && !http2.failed()) {
    const bool had_head = http2.head_complete();
    const std::string_view piece = http2.feed(bytes);
    if (!had_head && http2.head_complete()) exchange.answer.on_head(http2.head(), arrival, record);
    if (!piece.empty() && !over) over = exchange.answer.on_body(piece, arrival, parts_.reader, record);
  }
  if (http2.complete() && !over) {
    exchange.answer.on_body_end(parts_.reader, record);
    over = true;
  }
  parts_.pool.send_frames(exchange);
  if (!exchange.connection->failed()) parts_.pool.watch(exchange);
  return over;
}

void LevelLoop::on_connect_failed(Exchange& exchange, std::string why) {
  const bool lacked_resources = exchange.connection->lacked_resources();
  while (!lacked_resources && parts_.pool.has_next_address(exchange)) {
    parts_.pool.reopen(exchange, true);
    if (!exchange.connection->failed()) return note_deadline(exchange);
    why = exchange.connection->problem();
  }
  RequestRecord& record = record_of(exchange);
  record.outcome = lacked_resources ? Outcome::unsent : Outcome::connect_failed;
  record.message = printable(why, 500);
  end_request(exchange, false);
}

void LevelLoop::on_broken(Exchange& exchange, std::string_view why) {
  RequestRecord& record = record_of(exchange);
  const bool was_stale = exchange.waited && !exchange.answer.any_byte() && !exchange.reconnected;
  if (!was_stale) return finish(exchange, AnswerEnd::cut, std::string(why));
  // The server closed an idle connection just as we used it: not an answer to this request. Once more, on a new one.
  ++record.attempts;
  exchange.reconnected = true;
  ++records_.client.reconnects;
  parts_.pool.reopen(exchange);
  if (exchange.connection->failed()) return on_connect_failed(exchange, exchange.connection->problem());
  note_deadline(exchange);
}

void LevelLoop::finish(Exchange& exchange, AnswerEnd end, std::string_view why) {
  RequestRecord& record = record_of(exchange);
  exchange.answer.conclude(end, why, parts_.reader, record);
  const bool reusable = exchange.http2 ? exchange.http2->reusable() : exchange.answer.reusable();
  const bool keep =
      end == AnswerEnd::complete && reusable && exchange.connection->is_open() && !exchange.connection->wants_write();
  end_request(exchange, keep);
}

void LevelLoop::end_request(Exchange& exchange, bool keep_connection) {
  RequestRecord& record = record_of(exchange);
  const RunTime now = parts_.time.now();
  if (retry_later(exchange, now)) return leave_connection(exchange, keep_connection);
  record.message = without_secrets(std::move(record.message), parts_.secrets);
  if (!exchange.answer.gaps().empty()) record.gaps = records_.gaps.append(exchange.answer.gaps());
  keep_text(exchange);
  record.closed = now;
  if (!exchange.body.empty()) bodies_.give_back(std::exchange(exchange.body, {}));
  leave_connection(exchange, keep_connection);
  if (is_full()) full_until_ = now;
  --in_flight_;
  // Without a rest the users of a server that died would burn the whole plan in a moment.
  releases_.ended(record.plan_index, now, found_no_server(record) ? std::optional(now + rest_) : std::nullopt);
  course_.ended(record.serial, now);
}

/// Only what this request's last attempt brought.
void LevelLoop::keep_text(const Exchange& exchange) {
  const RequestRecord& record = record_of(exchange);
  if (parts_.settings.keep_texts && record.events > 0) records_.texts[record.serial] = exchange.answer.text();
}

void LevelLoop::leave_connection(Exchange& exchange, bool keep_connection) {
  exchange.serial.reset();
  if (keep_connection) {
    parts_.pool.keep(exchange);
  } else {
    parts_.pool.close(exchange);
  }
}

/// Whether the request is to be sent again; then its record is as before its first answer, but for when it was sent.
bool LevelLoop::retry_later(Exchange& exchange, RunTime now) {
  RequestRecord& record = record_of(exchange);
  if (interrupted_ || !retries_.wants(record, exchange.retries)) return false;
  retries_.add({retries_.due(record, exchange.retries, now), record.serial, exchange.released, exchange.retries + 1,
                std::move(exchange.body)});
  forget_answer(record);
  ++records_.client.retries;
  return true;
}

void LevelLoop::retry_due() {
  while (std::optional<WaitingRetry> retry = retries_.take(parts_.time.now())) {
    ++records_.requests[retry->serial].attempts;
    put_on_connection(retry->serial, std::move(retry->body), retry->released, retry->retries);
  }
}

void LevelLoop::cancel_all() {
  const RunTime now = parts_.time.now();
  while (const std::optional<WaitingRetry> retry = retries_.take(RunTime::max())) {
    RequestRecord& record = records_.requests[retry->serial];
    record.outcome = Outcome::censored;
    record.closed = now;
    --in_flight_;
  }
  parts_.pool.for_each_active([&](Exchange& exchange) { cancel(exchange, now); });
}

/// The course is over: it is told nothing more.
void LevelLoop::cancel(Exchange& exchange, RunTime now) {
  RequestRecord& record = record_of(exchange);
  if (exchange.transmitted) {
    exchange.answer.conclude(AnswerEnd::cancelled, {}, parts_.reader, record);
    record.message = without_secrets(std::move(record.message), parts_.secrets);
    if (!exchange.answer.gaps().empty()) record.gaps = records_.gaps.append(exchange.answer.gaps());
    keep_text(exchange);
  } else {
    record.outcome = record.sent ? Outcome::censored : Outcome::unsent;
  }
  record.closed = now;
  exchange.serial.reset();
  parts_.pool.close(exchange);
  --in_flight_;
}

}  // namespace loadline
