#include "target/fetch.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "net/connection.h"
#include "net/poller.h"
#include "wire/http2_exchange.h"
#include "wire/http_request.h"
#include "wire/http_response.h"

namespace loadline {
namespace {

using WallClock = std::chrono::steady_clock;

constexpr Nanos look_for_stop = std::chrono::milliseconds(50);

/// One connection, one request, one response.
class Exchange {
 public:
  Exchange(const Address& address, const TlsContext* tls, const Tunnel* tunnel, const Server& server,
           const HttpCall& call)
      : connection_(address, tls, tunnel), server_(server), call_(call), buffer_(Connection::read_size) {
    response_.reset(call.method == "HEAD");
    if (server.http2) http2_.emplace();
  }

  HttpAnswer run(WallClock::time_point deadline) {
    if (connection_.failed()) return gave_up(Reached::not_connected, connection_.problem());
    poller_.add(connection_.fd(), 0, {true, connection_.wants_write()});
    std::vector<Ready> ready;
    while (!over_) {
      const Nanos left = std::chrono::duration_cast<Nanos>(deadline - WallClock::now());
      if (left <= Nanos(0)) {
        return gave_up(Reached::timed_out, fmt::format("no whole answer within {:g} s", seconds(call_.timeout)));
      }
      if (server_.stop != nullptr && *server_.stop) return gave_up(Reached::timed_out, "it was stopped");
      poller_.wait(std::min(left, look_for_stop), ready);
      step();
      if (!over_) poller_.modify(connection_.fd(), 0, {true, connection_.wants_write()});
    }
    return std::move(answer_);
  }

 private:
  HttpAnswer gave_up(Reached reached, std::string problem) {
    over_ = true;
    answer_.reached = reached;
    answer_.problem = std::move(problem);
    return answer_;
  }

  void step() {
    connection_.progress();
    if (connection_.is_open() && !sent_) send();
    if (connection_.failed()) {
      answer_.wants_http2 = connection_.refused_protocols() && !server_.http2;
      if (sent_) read_all();  // the server may have answered, or said why it does not, before it closed
      if (!over_) gave_up(sent_ ? Reached::broken : Reached::not_connected, connection_.problem());
      return;
    }
    if (sent_ && !over_) read_all();
  }

  void send() {
    if (http2_ && server_.url.tls && connection_.negotiated_protocol() != "h2") {
      gave_up(Reached::not_connected, "the server does not speak HTTP/2; leave out --http2");
      return;
    }
    sent_ = true;
    std::optional<std::string_view> body;
    if (call_.method != "GET" && call_.method != "HEAD") body = call_.body;
    if (!http2_) return connection_.send(request_head(), body.value_or(""));
    http2_->submit({.method = call_.method,
                    .scheme = server_.url.tls ? "https" : "http",
                    .authority = server_.url.host_header(),
                    .path = call_.path,
                    .headers = server_.headers,
                    .body = body});
    send_frames();
  }

  void send_frames() {
    std::string frames;
    http2_->take_output(frames);
    if (!frames.empty()) connection_.send(frames, {});
  }

  std::string request_head() const {
    std::string head;
    std::optional<std::size_t> length;
    if (call_.method != "GET" && call_.method != "HEAD") length = call_.body.size();
    append_request_head(head, call_.method, request_target(server_, call_.path), server_.url.host_header(),
                        request_headers(server_) + "Connection: close\r\n", length);
    return head;
  }

  void read_all() {
    while (!over_) {
      const IoResult result = connection_.read(buffer_);
      if (result.state == Io::would_block) return;
      if (result.state == Io::failed) {
        gave_up(Reached::broken, connection_.problem());
      } else if (result.state == Io::closed) {
        on_close();
      } else if (http2_) {
        take_frames({buffer_.data(), result.bytes});
      } else {
        take({buffer_.data(), result.bytes});
      }
    }
  }

  void on_close() {
    response_.end_of_input();
    if (response_.complete()) return finish(response_.head());
    // Some servers that speak HTTP/2 only do not refuse the handshake, but the first request, without a word.
    answer_.wants_http2 =
        !http2_ && server_.url.tls && connection_.negotiated_protocol().empty() && first_bytes_.empty();
    gave_up(Reached::broken, "the server closed the connection before its answer was whole");
  }

  void take(std::string_view bytes) {
    if (first_bytes_.size() < 9) first_bytes_ += bytes.substr(0, 9);
    if (begins_as_http2(first_bytes_)) {
      answer_.wants_http2 = true;
      gave_up(Reached::broken, "the server speaks HTTP/2 only");
      return;
    }
    while (!bytes.empty() && !response_.complete() && !response_.failed()) answer_.body += response_.feed(bytes);
    if (response_.failed()) {
      gave_up(Reached::broken, fmt::format("the answer is not HTTP: {}", response_.problem()));
    } else if (!is_too_large() && response_.complete()) {
      finish(response_.head());
    }
  }

  void take_frames(std::string_view bytes) {
    while (!bytes.empty() && !http2_->failed()) answer_.body += http2_->feed(bytes);
    if (http2_->complete()) return finish(http2_->head());
    if (http2_->failed()) {
      gave_up(Reached::broken, http2_->problem());
    } else if (!is_too_large()) {
      send_frames();
    }
  }

  bool is_too_large() {
    if (answer_.body.size() <= call_.size_limit) return false;
    gave_up(Reached::broken, fmt::format("the answer is larger than {} bytes", call_.size_limit));
    return true;
  }

  void finish(const ResponseHead& head) {
    over_ = true;
    answer_.reached = Reached::answered;
    answer_.status = head.status;
    answer_.content_type = head.content_type;
    answer_.server = head.server;
  }

  Connection connection_;
  const Server& server_;
  const HttpCall& call_;
  Poller poller_;
  HttpResponse response_;
  std::optional<Http2Exchange> http2_;  ///< instead of `response_`
  std::string first_bytes_;
  HttpAnswer answer_;
  std::vector<char> buffer_;
  bool sent_ = false, over_ = false;
};

}  // namespace

HttpAnswer fetch(const Server& server, const HttpCall& call) {
  const WallClock::time_point deadline = WallClock::now() + call.timeout;
  std::unique_ptr<TlsContext> tls;
  if (server.url.tls) tls = std::make_unique<TlsContext>(server.tls);
  const std::optional<Tunnel> tunnel = tunnel_of(server);
  HttpAnswer answer;
  std::vector<Address> addresses = server.addresses;
  try {
    if (addresses.empty()) addresses = look_up(server);
  } catch (const Error& error) {
    answer.problem = error.what();
    return answer;
  }
  for (const Address& address : addresses) {
    try {
      answer = Exchange(address, tls.get(), tunnel ? &*tunnel : nullptr, server, call).run(deadline);
    } catch (const Error& error) {  // no descriptor left
      answer = HttpAnswer{};
      answer.problem = error.what();
    }
    if (answer.reached != Reached::not_connected) break;
  }
  return answer;
}

}  // namespace loadline
