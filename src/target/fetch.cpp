#include "target/fetch.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "net/connection.h"
#include "net/poller.h"
#include "wire/http_request.h"
#include "wire/http_response.h"

namespace loadline {
namespace {

using WallClock = std::chrono::steady_clock;

/// One connection, one request, one response.
class Exchange {
 public:
  Exchange(const Address& address, const TlsContext* tls, const Tunnel* tunnel, const HttpCall& call)
      : connection_(address, tls, tunnel), call_(call), buffer_(Connection::read_size) {
    response_.reset(call.method == "HEAD");
  }

  HttpAnswer run(std::string_view head, WallClock::time_point deadline) {
    if (connection_.failed()) return gave_up(Reached::not_connected, connection_.problem());
    poller_.add(connection_.fd(), 0, {true, connection_.wants_write()});
    std::vector<Ready> ready;
    while (!over_) {
      const Nanos left = std::chrono::duration_cast<Nanos>(deadline - WallClock::now());
      if (left <= Nanos(0)) {
        return gave_up(Reached::timed_out, fmt::format("no whole answer within {:g} s", seconds(call_.timeout)));
      }
      poller_.wait(left, ready);
      step(head);
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

  void step(std::string_view head) {
    connection_.progress();
    if (connection_.is_open() && !sent_) {
      connection_.send(head, call_.body);
      sent_ = true;
    }
    if (connection_.failed()) {
      gave_up(sent_ ? Reached::broken : Reached::not_connected, connection_.problem());
      return;
    }
    if (sent_) read_all();
  }

  void read_all() {
    while (!over_) {
      const IoResult result = connection_.read(buffer_);
      if (result.state == Io::would_block) return;
      if (result.state == Io::failed) {
        gave_up(Reached::broken, connection_.problem());
      } else if (result.state == Io::closed) {
        response_.end_of_input();
        if (response_.complete()) return finish();
        gave_up(Reached::broken, "the server closed the connection before its answer was whole");
      } else {
        take({buffer_.data(), result.bytes});
      }
    }
  }

  void take(std::string_view bytes) {
    while (!bytes.empty() && !response_.complete() && !response_.failed()) answer_.body += response_.feed(bytes);
    if (response_.failed()) {
      gave_up(Reached::broken, fmt::format("the answer is not HTTP: {}", response_.problem()));
    } else if (answer_.body.size() > call_.size_limit) {
      gave_up(Reached::broken, fmt::format("the answer is larger than {} bytes", call_.size_limit));
    } else if (response_.complete()) {
      finish();
    }
  }

  void finish() {
    over_ = true;
    answer_.reached = Reached::answered;
    answer_.status = response_.head().status;
    answer_.content_type = response_.head().content_type;
    answer_.server = response_.head().server;
  }

  Connection connection_;
  const HttpCall& call_;
  Poller poller_;
  HttpResponse response_;
  HttpAnswer answer_;
  std::vector<char> buffer_;
  bool sent_ = false, over_ = false;
};

std::string request_head(const Server& server, const HttpCall& call) {
  std::string head;
  std::optional<std::size_t> length;
  if (call.method != "GET" && call.method != "HEAD") length = call.body.size();
  append_request_head(head, call.method, request_target(server, call.path), server.url.host_header(),
                      request_headers(server) + "Connection: close\r\n", length);
  return head;
}

}  // namespace

HttpAnswer fetch(const Server& server, const HttpCall& call) {
  const WallClock::time_point deadline = WallClock::now() + call.timeout;
  std::unique_ptr<TlsContext> tls;
  if (server.url.tls) tls = std::make_unique<TlsContext>(server.tls);
  const std::optional<Tunnel> tunnel = tunnel_of(server);
  const std::string head = request_head(server, call);
  HttpAnswer answer;
  std::vector<Address> addresses = server.addresses;
  try {
    if (addresses.empty()) addresses = look_up(server);
  } catch (const Error& error) {
    answer.problem = error.what();
    return answer;
  }
  for (const Address& address : addresses) {
    answer = Exchange(address, tls.get(), tunnel ? &*tunnel : nullptr, call).run(head, deadline);
    if (answer.reached != Reached::not_connected) break;
  }
  return answer;
}

}  // namespace loadline
