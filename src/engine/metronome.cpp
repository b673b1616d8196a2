// The writes that are due lie in a heap; the sockets are looked at whenever nothing is due, and every 200 us when
// something always is.

#include "engine/metronome.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <queue>
#include <utility>

#include "core/error.h"
#include "engine/api_request.h"
#include "engine/http_connection.h"
#include "net/poller.h"

namespace loadline {
namespace {

constexpr std::uint64_t metronome_listener_key = std::uint64_t{1} << 62;
constexpr Nanos longest_without_a_look = std::chrono::microseconds(200);
// Falling asleep and waking up take longer than this.
constexpr Nanos shortest_sleep = std::chrono::microseconds(20);

double seconds_of(clockid_t clock) {
  timespec value{};
  ::clock_gettime(clock, &value);
  return static_cast<double>(value.tv_sec) + static_cast<double>(value.tv_nsec) * 1e-9;
}

}  // namespace

class Metronome::Loop {
 public:
  Loop(const Pace& pace, TimeSource& time) : pace_(pace), time_(time), listener_(listen_on_loopback()) {
    check(pace.streams > 0 && pace.tokens_per_write > 0 && pace.period >= Nanos(0), "a pace that can be kept");
    poller_.add(listener_.socket.fd(), metronome_listener_key, {.read = true, .write = false});
    epoch_ = time_.now();
  }

  void run();
  void request_stop() noexcept {
    stopping_ = true;
    poller_.wake();
  }
  std::uint16_t port() const { return listener_.port; }
  const std::vector<StreamStamps>& stamps() const { return stamps_; }
  std::optional<double> cpu_at_end() const { return cpu_at_end_; }

 private:
  /// What a connection owes. `answer`: its place in stamps_.
  struct Stream {
    std::size_t answer = 0;
    std::uint32_t tokens_left = 0;
    bool started = false;
  };
  struct DueWrite {
    RunTime due{};
    std::uint32_t connection = 0;
    std::size_t answer = 0;  ///< a write of an earlier answer on that connection, which was cut, is void
    bool operator>(const DueWrite& other) const { return due > other.due; }
  };

  void write_due();
  void look_at_sockets();
  void on_ready(const Ready& ready);
  void accept_all();
  void serve(std::uint32_t connection);
  void begin_answer(std::uint32_t connection);
  void refuse(std::uint32_t connection, const Refusal& refusal);
  void drop(std::uint32_t connection);
  RunTime first_due(std::uint32_t connection) const;
  std::string_view next_bytes(std::uint32_t connection);
  void write(const DueWrite& due);

  Pace pace_;
  TimeSource& time_;
  Listener listener_;
  Poller poller_;
  RunTime epoch_{}, last_look_{};
  std::vector<Ready> ready_;
  std::vector<std::unique_ptr<HttpConnection>> connections_;
  std::vector<Stream> streams_;  ///< by connection
  std::vector<std::uint32_t> free_;
  std::priority_queue<DueWrite, std::vector<DueWrite>, std::greater<>> due_;
  std::vector<StreamStamps> stamps_;
  ApiReader reader_;
  CompletionRequest completion_;
  std::string buffer_;
  std::atomic<bool> stopping_{false};
  std::optional<double> cpu_at_end_;
};

void Metronome::Loop::run() {
  while (!stopping_) {
    write_due();
    look_at_sockets();
  }
  connections_.clear();
  listener_.socket.close();
  cpu_at_end_ = seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

void Metronome::Loop::write_due() {
  RunTime now = time_.now();
  while (!due_.empty() && due_.top().due <= now && now - last_look_ < longest_without_a_look) {
    const DueWrite due = due_.top();
    due_.pop();
    write(due);
    now = time_.now();
  }
}

void Metronome::Loop::look_at_sockets() {
  std::optional<Nanos> timeout;
  if (!due_.empty()) {
    const Nanos until = time_.wall(due_.top().due - time_.now());
    timeout = until < shortest_sleep ? Nanos(0) : until;
  }
  poller_.wait(timeout, ready_);
  last_look_ = time_.now();
  for (const Ready& ready : ready_) on_ready(ready);
}

void Metronome::Loop::on_ready(const Ready& ready) {
  if (ready.key == metronome_listener_key) return accept_all();
  const auto connection = static_cast<std::uint32_t>(ready.key);
  if (!connections_[connection]) return;  // dropped by what was ready before it
  if (ready.writable && !connections_[connection]->flush(poller_)) return drop(connection);
  if (ready.readable && !connections_[connection]->read()) return drop(connection);
  serve(connection);
}

void Metronome::Loop::accept_all() {
  while (std::optional<Socket> socket = accept_from(listener_.socket)) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(connections_.size()));
      connections_.emplace_back();
      streams_.emplace_back();
    }
    const std::uint32_t connection = free_.back();
    free_.pop_back();
    poller_.add(socket->fd(), connection, {.read = true, .write = false});
    connections_[connection] = std::make_unique<HttpConnection>(std::move(*socket), connection);
  }
}

void Metronome::Loop::serve(std::uint32_t connection) {
  while (connections_[connection] && !connections_[connection]->answer && !connections_[connection]->closing() &&
         connections_[connection]->take_request()) {
    begin_answer(connection);
  }
}

void Metronome::Loop::begin_answer(std::uint32_t connection) {
  HttpConnection& on = *connections_[connection];
  const HttpRequestParser& request = on.request();
  if (request.failed()) {
    on.close_after_answer();
    return refuse(connection, {request.status(), std::string(request.problem())});
  }
  if (!request.head().keep_alive) on.close_after_answer();
  if (request.head().path != "/v1/completions") return refuse(connection, {404, "only /v1/completions is served"});
  if (const auto refusal = reader_.read_completion(request.body(), false, completion_))
    return refuse(connection, *refusal);
  if (!completion_.stream || completion_.tokens.size() != 1 || completion_.max_tokens < 1) {
    return refuse(connection, {400, "a streamed answer to a prompt of one token id is served, and nothing else"});
  }
  on.answer.emplace(completion_, stamps_.size(), 0, "loadline-metronome", !on.closing());
  streams_[connection] = {stamps_.size(), static_cast<std::uint32_t>(completion_.max_tokens), false};
  due_.push({first_due(connection), connection, stamps_.size()});
  stamps_.push_back({completion_.tokens.front(), streams_[connection].tokens_left, pace_.tokens_per_write, false, {}});
  stamps_.back().writes.reserve((streams_[connection].tokens_left + pace_.tokens_per_write - 1) /
                                pace_.tokens_per_write);
}

void Metronome::Loop::refuse(std::uint32_t connection, const Refusal& refusal) {
  HttpConnection& on = *connections_[connection];
  const bool alive = on.send(error_answer(refusal, !on.closing()), poller_);
  on.finish_request();
  if (!alive) drop(connection);
}

void Metronome::Loop::drop(std::uint32_t connection) {
  connections_[connection].reset();
  streams_[connection] = {};
  free_.push_back(connection);
}

/// The next instant of the connection's phase.
RunTime Metronome::Loop::first_due(std::uint32_t connection) const {
  const RunTime now = time_.now();
  if (pace_.period == Nanos(0)) return now;
  const Nanos phase =
      pace_.phases == Phases::burst ? Nanos(0) : pace_.period * (connection % pace_.streams) / pace_.streams;
  const std::int64_t periods = (now - epoch_ - phase) / pace_.period + 1;
  return epoch_ + phase + pace_.period * std::max<std::int64_t>(periods, 0);
}

/// Valid until the next call.
std::string_view Metronome::Loop::next_bytes(std::uint32_t connection) {
  CompletionAnswer& answer = *connections_[connection]->answer;
  Stream& stream = streams_[connection];
  const std::uint32_t tokens = std::min(stream.tokens_left, pace_.tokens_per_write);
  const bool last = tokens == stream.tokens_left;
  const bool first = !std::exchange(stream.started, true);
  stream.tokens_left -= tokens;
  if (tokens == 1 && !first && !last) return answer.token();
  buffer_.clear();
  if (first) answer.append_start(buffer_);
  for (std::uint32_t i = last ? 1 : 0; i < tokens; ++i) buffer_ += answer.token();
  if (last) answer.append_end(0, buffer_);
  return buffer_;
}

void Metronome::Loop::write(const DueWrite& due) {
  if (!connections_[due.connection] || !connections_[due.connection]->answer) return;
  const Stream& stream = streams_[due.connection];
  if (stream.answer != due.answer) return;
  HttpConnection& on = *connections_[due.connection];
  StreamStamps& stamps = stamps_[due.answer];
  const std::string_view bytes = next_bytes(due.connection);
  const RunTime begin = time_.now();
  const bool alive = on.send(bytes, poller_);
  stamps.backlogged = stamps.backlogged || on.has_unsent();
  if (!stamps.backlogged) stamps.writes.push_back({due.due, begin, time_.now()});
  if (!alive) return drop(due.connection);
  if (stream.tokens_left > 0) return due_.push({due.due + pace_.period, due.connection, due.answer});
  on.finish_request();
  serve(due.connection);
}

Metronome::Metronome(const Pace& pace, TimeSource& time) : loop_(std::make_unique<Loop>(pace, time)) {}

Metronome::~Metronome() {
  loop_->request_stop();
  if (thread_.joinable()) thread_.join();
}

std::uint16_t Metronome::port() const { return loop_->port(); }

void Metronome::start() {
  check(!thread_.joinable(), "a metronome is started once");
  raise_open_file_limit();
  thread_ = std::thread([this] {
    try {
      loop_->run();
    } catch (...) {
      failure_ = std::current_exception();
    }
  });
}

void Metronome::stop() {
  loop_->request_stop();
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

double Metronome::cpu_seconds() const {
  if (!thread_.joinable()) return loop_->cpu_at_end().value_or(0);
  clockid_t clock{};
  const bool known = ::pthread_getcpuclockid(const_cast<std::thread&>(thread_).native_handle(), &clock) == 0;
  return known ? seconds_of(clock) : 0;
}

const std::vector<StreamStamps>& Metronome::stamps() const {
  check(!thread_.joinable(), "stamps are read after stop()");
  return loop_->stamps();
}

}  // namespace loadline
