#include "net/poller.h"

#include <fmt/core.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::uint64_t wake_key = ~std::uint64_t{0};
constexpr int most_events = 512;

epoll_event event_for(std::uint64_t key, Interest interest) {
  epoll_event event{};
  if (interest.read) event.events |= EPOLLIN | EPOLLRDHUP;
  if (interest.write) event.events |= EPOLLOUT;
  event.data.u64 = key;
  return event;
}

void control(int epoll, int operation, int fd, epoll_event* event) {
  if (::epoll_ctl(epoll, operation, fd, event) == 0) return;
  throw Error(fmt::format("cannot watch a connection: {}", error_text(errno)));
}

int wait_for(int epoll, std::array<epoll_event, most_events>& events, std::optional<Nanos> timeout) {
  if (!timeout) return ::epoll_wait(epoll, events.data(), most_events, -1);
  if (*timeout <= Nanos(0)) return ::epoll_wait(epoll, events.data(), most_events, 0);
  const Nanos span = *timeout;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(span);
  const timespec t{whole.count(), (span - whole).count()};
  const int n = ::epoll_pwait2(epoll, events.data(), most_events, &t, nullptr);
  if (n >= 0 || errno != ENOSYS) return n;
  // Kernels before 5.11 and some sandboxes know whole milliseconds only: late by up to one, never early.
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(span).count();
  return ::epoll_wait(epoll, events.data(), most_events, static_cast<int>(std::min<std::int64_t>(rounded, 60'000)));
}

}  // namespace

Poller::Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!epoll_.is_open() || !wake_.is_open()) {
    throw Error(
        fmt::format("cannot open an event queue: {}; raise the limit of open files (ulimit -n)", error_text(errno)));
  }
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  add(wake_.fd(), wake_key, {.read = true, .write = false});
}

void Poller::add(int fd, std::uint64_t key, Interest interest) {
  epoll_event event = event_for(key, interest);
  control(epoll_.fd(), EPOLL_CTL_ADD, fd, &event);
}

void Poller::modify(int fd, std::uint64_t key, Interest interest) {
  epoll_event event = event_for(key, interest);
  control(epoll_.fd(), EPOLL_CTL_MOD, fd, &event);
}

void Poller::remove(int fd) { control(epoll_.fd(), EPOLL_CTL_DEL, fd, nullptr); }

void Poller::wait(std::optional<Nanos> timeout, std::vector<Ready>& ready) {
  std::array<epoll_event, most_events> events;  // not cleared: only what the kernel fills in is looked at
  ready.clear();
  const int n = wait_for(epoll_.fd(), events, timeout);
  for (int i = 0; i < n; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.u64 == wake_key) {
      std::uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t drained = ::read(wake_.fd(), &wakes, sizeof wakes);
      continue;
    }
    const bool broken = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
    ready.push_back({event.data.u64, broken || (event.events & (EPOLLIN | EPOLLRDHUP)) != 0,
                     broken || (event.events & EPOLLOUT) != 0});
  }
}

void Poller::rest(Nanos span) {
  if (span <= Nanos(0)) return;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(span);
  timespec left{whole.count(), (span - whole).count()};
  while (::clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
  }
}

void Poller::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_.fd(), &one, sizeof one);
}

}  // namespace loadline
