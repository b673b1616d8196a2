#pragma once
// A server of token streams at a given pace, for calibrating a client: it has no model, only a schedule, and it keeps
// what a client's figures are held against: when each write of tokens was given to the kernel. On one thread of this
// process, by the clock of whoever measures.
//
//   POST /v1/completions    prompt: one token id, which names the request in the stamps; max_tokens; stream
//
// A stream's writes are due at t0 + phase + n * period, whatever happened before: late is late, and is in the stamps.
// All bytes of a token are prepared when its request comes; a write is one system call.

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/units.h"
#include "net/time_source.h"

namespace loadline {

/// How the writes of many streams lie to each other.
enum class Phases : std::uint8_t {
  spread,  ///< evenly over the period
  burst,   ///< all at one instant, as one step of a batching server
};

struct Pace {
  Nanos period{};  ///< between two writes of a stream; 0: everything at once, as soon as it is asked for
  std::uint32_t tokens_per_write = 1;
  Phases phases = Phases::spread;
  std::uint32_t streams = 1;  ///< over how many the phases are spread
};

/// One write of tokens: when it was due, and the instants right before and after the system call.
struct WriteStamp {
  RunTime due{}, begin{}, end{};
};

struct StreamStamps {
  std::uint32_t request = 0;  ///< the token id that it was asked with
  std::uint32_t tokens = 0;   ///< of the whole answer
  std::uint32_t tokens_per_write = 1;
  bool backlogged = false;         ///< the kernel did not take all of a write at once: no stamps from there on
  std::vector<WriteStamp> writes;  ///< write i ends the tokens up to (i + 1) * tokens_per_write
};

class Metronome {
 public:
  /// Listens on a free port of 127.0.0.1; answers once it runs. `time` outlives it.
  Metronome(const Pace& pace, TimeSource& time);
  /// Stops.
  ~Metronome();

  std::uint16_t port() const;
  /// Serves on a thread of its own until stop().
  void start();
  /// Ends that thread, once and for all; cuts what is open. Throws what ended it before, if anything did.
  void stop();

  /// CPU time of its thread so far. While it runs, from any thread; after stop(), of its whole life.
  double cpu_seconds() const;
  /// In order of the requests. After stop().
  const std::vector<StreamStamps>& stamps() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
  std::thread thread_;
  std::exception_ptr failure_;  ///< what ended thread_
};

}  // namespace loadline
