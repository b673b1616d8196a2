// The order of the writes of a paced flow is known beforehand: stream i's n-th write is due at begin + n * period +
// i * period / streams, so a cursor over that row is all the schedule there is. Answers on request wait in two rows,
// first tokens and later ones; each grows in the order in which it falls due, since every entry waits for the same
// time.
#include "bench/stream_server.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/server_connection.h"
#include "core/error.h"
#include "engine/api_answer.h"
#include "net/poller.h"
#include "net/time_source.h"

namespace loadline::bench {
namespace {

constexpr std::uint64_t listener_key = std::uint64_t{1} << 62;
constexpr Nanos longest_without_a_look = std::chrono::microseconds(500);
constexpr Nanos shortest_sleep = std::chrono::microseconds(60);  // below it, spin
constexpr Nanos pause_before_flow = std::chrono::milliseconds(200);

constexpr std::uint32_t different_writes = 16;
// One in ten needs an escape or is not ASCII, which is more than in English text.
constexpr std::array<std::string_view, 20> words = {" the",  ",",      " of",   " and",   " to",  " a",      " in",
                                                    " that", "ing",    " is",   ".",      " for", " server", " token",
                                                    "ly",    "\\n\\n", " with", "\u2014", " it",  " measure"};

Nanos now() { return SystemTime::monotonic_now(); }

class StreamServer {
 public:
  StreamServer(Listener listener, Stage& stage) : stage_(stage), scene_(stage.scene), listener_(std::move(listener)) {
    poller_.add(listener_.socket.fd(), listener_key, {.read = true, .write = false});
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
    if (scene_.tls) tls_ = std::make_unique<ServerTls>();
  }

  void run() {
    if (scene_.flow == Flow::on_request) {
      answer_requests();
    } else if (await_all()) {
      begin_flow();
      scene_.flow == Flow::paced ? flow_paced() : flow_at_full_speed();
      end_flow();
    }
    while (!stage_.server->stop) look(std::chrono::milliseconds(20));
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    stage_.server->cpu_s = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  }

 private:
  /// A token that falls due. `answer`: of which of the connection's answers.
  struct DueToken {
    Nanos at{};
    std::size_t connection = 0;
    std::uint64_t answer = 0;
  };

  // The flow of all streams together.

  bool await_all() {
    while (ready_streams_ < scene_.streams && !stage_.server->stop) look(std::chrono::milliseconds(20));
    return ready_streams_ == scene_.streams;
  }

  void begin_flow() {
    for (std::uint32_t i = 0; i < different_writes; ++i) {
      std::string& write = writes_.emplace_back();
      for (std::uint32_t token = 0; token < scene_.tokens_per_write; ++token) append_token(i, write);
    }
    begin_ = now() + pause_before_flow;
    stage_.server->flow_begin = begin_.count();
  }

  /// As vLLM's: one event in one chunk, another word each time and another id each write.
  void append_token(std::uint32_t write, std::string& out) {
    const std::string event = fmt::format(
        R"(data: {{"id":"cmpl-{:08x}c0ffee5eed{:08x}f00d","object":"text_completion","created":1790000000,)"
        R"("model":"{}","choices":[{{"index":0,"text":"{}","logprobs":null,"finish_reason":null,"stop_reason":null}}],)"
        R"("usage":null}})"
        "\n\n",
        write * 2654435761u, ~write * 40503u, engine_model_name, words[next_word_++ % words.size()]);
    fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", event.size(), event);
  }

  std::string_view next_write() {
    next_write_ = (next_write_ + 1) % writes_.size();
    return writes_[next_write_];
  }

  void flow_paced() {
    const std::uint32_t writes = scene_.writes_per_stream();
    for (std::uint32_t n = 0; n < writes; ++n) {
      for (std::uint32_t i = 0; i < scene_.streams && !stage_.server->stop; ++i) {
        sleep_until(begin_ + scene_.period * n + scene_.period * i / scene_.streams);
        ServerConnection& stream = *connections_[by_id_[i]];
        if (!stream.flush()) continue;  // the client is far behind: this write never was
        stage_.written[std::size_t{i} * writes + n] = now().count();
        write(stream, next_write(), scene_.tokens_per_write);
      }
    }
  }

  void flow_at_full_speed() {
    sleep_until(begin_);
    const Nanos end = begin_ + scene_.span;
    const std::uint64_t most_unseen = std::uint64_t{std::max(scene_.streams / 2, 1u)} * scene_.tokens_per_write;
    std::uint64_t written = 0;
    const auto is_ahead = [&] { return written - stage_.progress->events >= most_unseen; };
    for (std::uint32_t i = 0; now() < end && !stage_.server->stop; i = (i + 1) % scene_.streams) {
      while (is_ahead() && now() < end) {
      }
      write(*connections_[by_id_[i]], next_write(), scene_.tokens_per_write);
      written += scene_.tokens_per_write;
    }
  }

  void end_flow() {
    stage_.server->flow_end = now().count();
    std::vector<ServerConnection*> open;
    for (std::uint32_t i = 0; i < scene_.streams; ++i) open.push_back(connections_[by_id_[i]].get());
    while (!open.empty() && !stage_.server->stop) {
      std::erase_if(open, [&](ServerConnection* stream) {
        if (!stream->flush()) return false;
        if (!stream->ended) {
          write(*stream, stream->end_bytes(), 1);
          stream->ended = true;
          return false;
        }
        stream->shut();
        return true;
      });
    }
    stage_.server->last_write = now().count();
  }

  void write(ServerConnection& stream, std::string_view bytes, std::uint32_t tokens) {
    stream.write(bytes);
    ServerSaw& saw = *stage_.server;
    saw.writes.store(saw.writes.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    saw.tokens.store(saw.tokens.load(std::memory_order_relaxed) + tokens, std::memory_order_relaxed);
  }

  void sleep_until(Nanos due) {
    for (Nanos left = due - now(); left > Nanos(0); left = due - now()) {
      if (left > shortest_sleep) poller_.rest(left - shortest_sleep / 2);
    }
  }

  // Each answer by itself.

  void answer_requests() {
    while (!stage_.server->stop) {
      while (const std::optional<DueToken> due = take_due()) answer(*due);
      const Nanos until = next_due() - now();
      look(std::clamp<Nanos>(until < shortest_sleep ? Nanos(0) : until, Nanos(0), std::chrono::milliseconds(20)));
    }
  }

  std::deque<DueToken>& earlier_row() {
    if (firsts_.empty()) return laters_;
    return laters_.empty() || firsts_.front().at < laters_.front().at ? firsts_ : laters_;
  }
  Nanos next_due() { return earlier_row().empty() ? Nanos::max() : earlier_row().front().at; }
  std::optional<DueToken> take_due() {
    const Nanos at = now();
    if (next_due() > at || at - last_look_ > longest_without_a_look) return std::nullopt;
    std::deque<DueToken>& row = earlier_row();
    const DueToken due = row.front();
    row.pop_front();
    return due;
  }

  void answer(const DueToken& due) {
    ServerConnection* stream = connections_[due.connection].get();
    if (stream == nullptr || !stream->answer || stream->answers != due.answer) return;
    bytes_.clear();
    const bool last = stream->append_next(bytes_);
    write(*stream, bytes_, 1);
    if (stream->has_unsent()) poller_.modify(stream->fd(), due.connection, {.read = true, .write = true});
    if (!last) return laters_.push_back({due.at + scene_.period, due.connection, due.answer});
    stage_.server->last_write = now().count();
    --stage_.server->open;
    stream->finish();
    serve(due.connection);
  }

  // Connections and requests.

  void look(Nanos timeout) {
    poller_.wait(timeout, ready_);
    last_look_ = now();
    for (const Ready& ready : ready_) {
      if (ready.key == listener_key) {
        accept_all();
      } else if (connections_[ready.key]) {
        on_ready(ready);
      }
    }
  }

  void on_ready(const Ready& ready) {
    ServerConnection& on = *connections_[ready.key];
    if (ready.writable && on.flush()) poller_.modify(on.fd(), ready.key, {.read = true, .write = false});
    if (ready.readable && !on.read()) return drop(ready.key);
    serve(ready.key);
  }

  void accept_all() {
    while (std::optional<Socket> socket = accept_from(listener_.socket)) {
      const int on = 1;
      ::setsockopt(socket->fd(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
      poller_.add(socket->fd(), connections_.size(), {.read = true, .write = false});
      connections_.push_back(std::make_unique<ServerConnection>(std::move(*socket), tls_.get()));
    }
  }

  void drop(std::size_t connection) {
    if (connections_[connection]->answer) --stage_.server->open;
    connections_[connection].reset();
  }

  void serve(std::size_t connection) {
    ServerConnection& on = *connections_[connection];
    ServerSaw& saw = *stage_.server;
    const std::int64_t arrived = on.request_arrived().value_or(now()).count();
    if (saw.first_request == 0) saw.first_request = arrived;
    if (on.answer || on.ended || !on.take_request()) return;
    if (on.asked_tokens() == scene_.planned_tokens && saw.first_planned_request == 0)
      saw.first_planned_request = arrived;
    ++saw.requests;
    saw.most_open = std::max<std::uint32_t>(saw.most_open, ++saw.open);
    if (scene_.flow == Flow::on_request) {
      if (on.id() < stage_.asked.size()) stage_.asked[on.id()] = arrived;
      firsts_.push_back({now() + scene_.first, connection, on.answers});
      return;
    }
    check(on.id() < scene_.streams, "a stream of the scene is asked for");
    by_id_.resize(scene_.streams);
    by_id_[on.id()] = connection;
    on.write(on.start_bytes());
    ++ready_streams_;
  }

  Stage& stage_;
  const Scene scene_;
  Listener listener_;
  Poller poller_;
  std::unique_ptr<ServerTls> tls_;
  std::vector<std::unique_ptr<ServerConnection>> connections_;
  std::vector<std::size_t> by_id_;  ///< the connection of each stream of the scene
  std::uint32_t ready_streams_ = 0;
  std::vector<std::string> writes_;  ///< prepared; taken in turn
  std::size_t next_write_ = 0, next_word_ = 0;
  std::string bytes_;
  Nanos begin_{}, last_look_{};
  std::deque<DueToken> firsts_, laters_;
  std::vector<Ready> ready_;
};

}  // namespace

void serve(Listener listener, Stage& stage) { StreamServer(std::move(listener), stage).run(); }

}  // namespace loadline::bench
