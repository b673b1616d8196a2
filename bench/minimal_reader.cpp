#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "bench/readers.h"
#include "load/lateness.h"
#include "net/socket.h"
#include "net/time_source.h"

namespace loadline::bench {
namespace {

// As load's loop does with as many streams, or the comparison would be of two ways to wait.
constexpr std::uint32_t streams_worth_gathering = 256;
constexpr timespec gathering_span{0, 500'000};
constexpr std::uint32_t open_loop_connections = 64;

void require(bool fine, const char* what) {
  if (!fine) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

class MinimalReader {
 public:
  MinimalReader(std::uint16_t port, Stage& stage)
      : stage_(stage), scene_(stage.scene), epoll_(::epoll_create1(0)), clocks_(1.0, Nanos(0)) {
    require(epoll_ >= 0, "epoll");
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    const std::uint32_t count = is_open_loop() ? open_loop_connections : scene_.streams;
    for (std::uint32_t i = 0; i < count; ++i) connect_one(port, i);
    timespec real{};
    ::clock_gettime(CLOCK_REALTIME, &real);
    const Nanos realtime = std::chrono::seconds(real.tv_sec) + Nanos(real.tv_nsec);
    offset_ = clocks_.from_realtime(realtime).time_since_epoch() - realtime;
  }

  void run() {
    const Usage before = usage_now();
    is_open_loop() ? run_open_loop() : run_flow();
    keep_usage(before, *stage_.client);
    stage_.client->seen_p50_us = late_.quantile_ms(0.5).value_or(0) * 1e3;
    stage_.client->seen_p99_us = late_.quantile_ms(0.99).value_or(0) * 1e3;
  }

 private:
  struct Stream {
    int fd = -1;
    std::uint32_t id = 0;
    std::uint32_t tokens = 0;
    bool after_line = false;  ///< the last byte ended a line
  };

  bool is_open_loop() const { return scene_.flow == Flow::on_request; }

  void connect_one(std::uint16_t port, std::uint32_t index) {
    Stream stream;
    stream.fd = ::socket(AF_INET, SOCK_STREAM, 0);
    require(stream.fd >= 0, "socket");
    stream.id = index;
    const int on = 1;
    ::setsockopt(stream.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(stream.fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    const Address address = loopback_address(port);
    require(::connect(stream.fd, address.raw(), address.length) == 0, "connect");
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = index;
    require(::epoll_ctl(epoll_, EPOLL_CTL_ADD, stream.fd, &event) == 0, "epoll_ctl");
    streams_.push_back(stream);
  }

  void ask(Stream& stream, std::uint32_t id) {
    stream.id = id;
    const std::string body = request_body(id, scene_.planned_tokens);
    const std::string request =
        "POST /v1/completions HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
    require(::send(stream.fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()),
            "send");
  }

  void run_flow() {
    for (Stream& stream : streams_) ask(stream, stream.id);
    open_ = streams_.size();
    while (open_ > 0) {
      if (streams_.size() >= streams_worth_gathering) ::clock_nanosleep(CLOCK_MONOTONIC, 0, &gathering_span, nullptr);
      take_ready(::epoll_wait(epoll_, events_, most_events, 50));
    }
  }

  void run_open_loop() {
    const std::vector<Nanos> offsets = open_loop_offsets(scene_);
    for (Stream& stream : streams_) idle_.push_back(&stream);
    open_ = offsets.size();
    const Nanos start = SystemTime::monotonic_now() + std::chrono::milliseconds(100);
    std::size_t next = 0;
    while (open_ > 0) {
      Nanos now = SystemTime::monotonic_now();
      for (; next < offsets.size() && start + offsets[next] <= now; now = SystemTime::monotonic_now()) {
        require(!idle_.empty(), "a free connection");
        Stream& stream = *idle_.back();
        idle_.pop_back();
        stage_.due[next] = (start + offsets[next]).count();
        ask(stream, static_cast<std::uint32_t>(next));
        ++next;
      }
      const Nanos left = next < offsets.size() ? start + offsets[next] - now : std::chrono::milliseconds(50);
      const timespec timeout{0, static_cast<long>(std::clamp<std::int64_t>(left.count(), 0, 50'000'000))};
      take_ready(::epoll_pwait2(epoll_, events_, most_events, &timeout, nullptr));
    }
  }

  void take_ready(int count) {
    for (int i = 0; i < count; ++i) read(streams_[events_[i].data.u32]);
    stage_.progress->events.store(stage_.client->events, std::memory_order_release);
  }

  void read(Stream& stream) {
    iovec part{buffer_.get(), buffer_size};
    alignas(cmsghdr) char control[128];
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t n = ::recvmsg(stream.fd, &message, 0);
    if (n <= 0) return close(stream);
    ++stage_.client->reads;
    const std::int64_t stamp = stamp_of(message);
    const std::string_view bytes(buffer_.get(), static_cast<std::size_t>(n));
    const std::uint32_t ends = count_events(stream, bytes);
    stage_.client->events += ends;
    if (scene_.keeps_arrivals) keep_arrivals(stream, ends, stamp);
    if (is_open_loop() && bytes.ends_with("\r\n0\r\n\r\n")) {
      --open_;
      idle_.push_back(&stream);
    }
  }

  std::int64_t stamp_of(msghdr& message) {
    for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS) continue;
      timespec t{};
      std::memcpy(&t, CMSG_DATA(c), sizeof t);
      ++stage_.client->stamped_reads;
      const Nanos arrived = std::chrono::seconds(t.tv_sec) + Nanos(t.tv_nsec) + offset_;
      late_.record(SystemTime::monotonic_now() - arrived);
      return arrived.count();
    }
    return SystemTime::monotonic_now().count();
  }

  /// How many blank lines end in `bytes`.
  static std::uint32_t count_events(Stream& stream, std::string_view bytes) {
    std::uint32_t count = stream.after_line && bytes.front() == '\n' ? 1 : 0;
    for (std::size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
      if (at + 1 < bytes.size() && bytes[at + 1] == '\n') ++count;
    }
    stream.after_line = bytes.back() == '\n';
    return count;
  }

  void keep_arrivals(Stream& stream, std::uint32_t count, std::int64_t stamp) {
    const std::size_t a_stream = std::size_t{scene_.writes_per_stream()} * scene_.tokens_per_write;
    for (std::uint32_t i = 0; i < count && stream.tokens < a_stream; ++i) {
      stage_.arrived[stream.id * a_stream + stream.tokens++] = stamp;
    }
  }

  void close(Stream& stream) {
    ::close(stream.fd);
    --open_;
  }

  static constexpr std::size_t buffer_size = 64 * 1024;
  static constexpr int most_events = 512;
  Stage& stage_;
  const Scene scene_;
  int epoll_;
  SystemTime clocks_;
  Nanos offset_{};  ///< CLOCK_MONOTONIC - CLOCK_REALTIME
  std::vector<Stream> streams_;
  std::vector<Stream*> idle_;
  std::size_t open_ = 0;
  epoll_event events_[most_events];
  std::unique_ptr<char[]> buffer_ = std::make_unique<char[]>(buffer_size);
  Lateness late_;
};

}  // namespace

void run_minimal_reader(std::uint16_t port, Stage& stage) {
  raise_open_file_limit();
  MinimalReader(port, stage).run();
}

}  // namespace loadline::bench
