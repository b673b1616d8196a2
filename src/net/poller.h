#pragma once
// A small level-triggered epoll: what is ready, by the caller's own keys.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.h"
#include "net/socket.h"

namespace loadline {

struct Ready {
  std::uint64_t key = 0;
  bool readable = false;  ///< also when the peer closed or the socket failed: the next read tells
  bool writable = false;
};

struct Interest {
  bool read = true;
  bool write = false;
};

class Poller {
 public:
  /// Also sets this thread's timer slack to 1 ns, so that a wait ends when asked and not 50 us later: construct
  /// it on the thread that waits.
  Poller();

  /// `key` is anything below 2^64 - 1 and comes back in Ready. A descriptor that is closed leaves by itself.
  void add(int fd, std::uint64_t key, Interest interest);
  void modify(int fd, std::uint64_t key, Interest interest);
  void remove(int fd);

  /// Replaces `ready` by what is ready now, waiting up to `timeout` of wall time (absent: without end; zero or
  /// less: not at all). Returns early, with nothing ready, after `wake`.
  void wait(std::optional<Nanos> timeout, std::vector<Ready>& ready);
  /// Lets `span` of wall time pass and looks at nothing; zero or less: returns at once. For a thread that gathers what
  /// comes meanwhile into one `wait`: the kernel's stamps still tell when each came. `wake` does not end it.
  void rest(Nanos span);
  /// Ends a wait, this one or the next. The only call that is safe from other threads.
  void wake();

 private:
  Socket epoll_;
  Socket wake_;
};

}  // namespace loadline
