#pragma once
// What one measurement of the bench plays, and what its three processes tell each other in shared memory: a server on
// core 0 keeps when it wrote, a client on core 1 keeps what it saw, the parent compares. All instants are nanoseconds
// of CLOCK_MONOTONIC.

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <new>
#include <stdexcept>

#include "core/units.h"

namespace loadline::bench {

enum class Flow : std::uint8_t {
  full_speed,  ///< all streams in turn, as fast as the client reads: at most half of them have a write it did not see
  paced,       ///< every stream at its own exact times, spread over the period
  on_request,  ///< each answer by itself: first token after `first`, then one each period
};

struct Scene {
  Flow flow = Flow::paced;
  std::uint32_t streams = 1;  ///< open at once; on_request: requests in all
  std::uint32_t tokens_per_write = 1;
  Nanos period{};                    ///< between two writes of a stream
  Nanos span{};                      ///< how long tokens flow
  Nanos first{};                     ///< on_request: from the request to its first token
  std::uint32_t planned_tokens = 1;  ///< what requests ask for; the flow ends by its span
  double requests_per_s = 0;         ///< on_request: of the open loop
  bool tls = false;
  bool keeps_arrivals = false;  ///< the client keeps when every token arrived

  /// Of a paced stream, the end (a token of its own, with its reason) left out.
  std::uint32_t writes_per_stream() const { return period > Nanos(0) ? static_cast<std::uint32_t>(span / period) : 0; }
};

/// What the server did.
struct ServerSaw {
  std::atomic<bool> stop{false};
  std::atomic<std::uint32_t> requests{0}, open{0}, most_open{0};
  std::atomic<std::uint64_t> writes{0}, tokens{0};
  std::atomic<std::int64_t> flow_begin{0}, flow_end{0};
  std::atomic<std::int64_t> first_request{0}, first_planned_request{0};  ///< of any kind; of planned_tokens; 0: none
  std::atomic<std::int64_t> last_write{0};
  std::atomic<double> cpu_s{0};
};

/// How far the client is: how many events it has counted, told whenever it is about to wait.
struct alignas(64) Progress {
  std::atomic<std::uint64_t> events{0};
};

/// What the client did, from its first request to its last answer.
struct ClientSaw {
  std::uint64_t events = 0, reads = 0, stamped_reads = 0;
  double user_s = 0, system_s = 0, wall_s = 0;
  double seen_p50_us = 0, seen_p99_us = 0;  ///< seen minus arrived
  bool failed = false;
};

/// Anonymous memory that forked processes share; freed with the object.
template <class T>
class Shared {
 public:
  explicit Shared(std::size_t count = 1) : count_(count) {
    memory_ = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::runtime_error("no shared memory for the bench");
    if constexpr (!std::is_arithmetic_v<T>) new (memory_) T();
  }
  ~Shared() { ::munmap(memory_, bytes()); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  T* data() { return static_cast<T*>(memory_); }
  T* operator->() { return data(); }
  T& operator*() { return *data(); }
  T& operator[](std::size_t i) { return data()[i]; }
  std::size_t size() const { return count_; }

 private:
  std::size_t bytes() const { return (count_ == 0 ? 1 : count_) * sizeof(T); }
  std::size_t count_;
  void* memory_ = nullptr;
};

/// Everything of one measurement.
struct Stage {
  explicit Stage(const Scene& s)
      : scene(s),
        written(std::size_t{s.streams} * s.writes_per_stream()),
        arrived(s.keeps_arrivals ? std::size_t{s.streams} * s.writes_per_stream() * s.tokens_per_write : 0),
        due(s.flow == Flow::on_request ? s.streams : 0),
        asked(s.flow == Flow::on_request ? s.streams : 0) {}

  const Scene scene;
  Shared<ServerSaw> server;
  Shared<Progress> progress;
  Shared<ClientSaw> client;
  Shared<std::int64_t> written;  ///< by stream and write: right before the system call; 0: never
  Shared<std::int64_t> arrived;  ///< by stream and token; 0: never
  Shared<std::int64_t> due;      ///< on_request, by request: when the client was to send it
  Shared<std::int64_t> asked;    ///< on_request, by request: the kernel's stamp of its arrival at the server
};

}  // namespace loadline::bench
