#include "app/stop_signal.h"

#include <csignal>
#include <thread>

#include "core/error.h"

namespace loadline {
namespace {

std::atomic<bool> stop_asked = false;
std::atomic<bool> signal_taken = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void take_signal(int number) {
  if (stop_asked.exchange(true)) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

}  // namespace

StopSignal::StopSignal() {
  check(!signal_taken.exchange(true), "one stop signal at a time");
  stop_asked = false;
  std::signal(SIGINT, take_signal);
  std::signal(SIGTERM, take_signal);
}

StopSignal::~StopSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  signal_taken = false;
}

const std::atomic<bool>& StopSignal::asked() const { return stop_asked; }

void StopSignal::wait() const {
  while (!stop_asked) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

}  // namespace loadline
